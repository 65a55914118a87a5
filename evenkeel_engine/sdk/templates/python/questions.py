"""Fill in one method per question; those left out are not asked.

This module starts nothing, so that tests of your own can import it.
"""

import evenkeel_adapter as evenkeel


class Questions(evenkeel.Balancer):
    """Put your own calls in place of these.

    Raise `evenkeel.Refused` if it rejects the input on purpose, `evenkeel.Skipped` for what it does
    not have. Any other exception is an observation too: that it broke.
    """

    def @SNAKE@(self, trial: evenkeel.@PASCAL@Trial) -> evenkeel.@PASCAL@Answer:
        raise evenkeel.Skipped("not written yet")
