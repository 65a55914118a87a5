"""An executable specification of broker load balancing and dispatch throttling, and what checks
balancers by it.
"""

import os

os.environ.setdefault("EVENKEEL_SPECIFICATION", __name__)
