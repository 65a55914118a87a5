"""An adapter for evenkeel: it serves what questions.py has."""

import evenkeel_adapter as evenkeel
from questions import Questions

evenkeel.serve(Questions(), name="my-balancer", version="1")
