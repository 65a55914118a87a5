"""`python -m evenkeel`."""

from evenkeel.cli.main import main

main()
