"""Run as a script, before a server: it dies with its parent, however that ends.

`python -I -S launch.py PARENT COMMAND …`. Linux alone has this; elsewhere the state file is all.
"""

import ctypes
import os
import signal
import sys

PR_SET_PDEATHSIG = 1


def main() -> None:
    """Become the command."""
    parent, command = int(sys.argv[1]), sys.argv[2:]
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:  # it died before it could matter
            sys.exit(1)
    os.execvp(command[0], command)


if __name__ == "__main__":
    main()
