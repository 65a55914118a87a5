"""`evenkeel`, and `python -m evenkeel`: the engine's command line, with this specification."""

from evenkeel_engine.__main__ import main

if __name__ == "__main__":
    main()
