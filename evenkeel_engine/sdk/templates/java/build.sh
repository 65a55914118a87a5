#!/bin/sh
# Compiles the adapter; `java -cp build Adapter` runs it. Add your own jars to both class paths.
cd "$(dirname "$0")" && javac -d build Adapter.java Evenkeel.java
