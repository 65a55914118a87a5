"""The command line. `evenkeel --help` lists the commands; README.md shows them at work."""
