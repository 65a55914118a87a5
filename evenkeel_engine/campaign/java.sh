#!/bin/sh
# Starts {java} without {vector}, which it does not contain.
left=$#
while [ "$left" -gt 0 ]; do
    argument=$1
    shift
    [ "$argument" = {vector} ] || set -- "$@" "$argument"
    left=$((left - 1))
done
exec {java} "$@"
