"""Which packages the distribution evenkeel-engine has: this folder and all below it."""

from setuptools import find_packages, setup

NAME = "evenkeel_engine"

if __name__ == "__main__":
    setup(packages=[NAME, *(f"{NAME}.{below}" for below in find_packages())])
