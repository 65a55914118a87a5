"""`python -m evenkeel_engine`: the command line for the chosen specification."""

from __future__ import annotations

import os
import sys

from evenkeel_engine.stopping import Stopped, stop_in_good_order


def main() -> None:
    """Run the command line. A signal while that is imported ends it without a traceback."""
    stop_in_good_order()
    try:
        try:
            sys.path.append(os.getcwd())  # a specification may be in the folder where one works
        except OSError as error:
            end(f"the working directory cannot be used ({error.strerror})")
        try:
            from evenkeel_engine import content  # noqa: F401, PLC0415 - says which specification
        except ImportError as error:
            end(str(error))
        from evenkeel_engine.cli.main import main as command_line  # noqa: PLC0415 - takes a while

        command_line()
    except Stopped:
        end("stopped")


def end(why: str) -> None:
    """End this process with a sentence and status 2."""
    sys.stderr.write(f"evenkeel: {why}.\n")
    sys.exit(2)


if __name__ == "__main__":
    main()
