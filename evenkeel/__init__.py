"""evenkeel: an executable specification of Apache Pulsar's load balancing, for the engine to check
balancers against.
"""

import os

os.environ.setdefault("EVENKEEL_SPECIFICATION", __name__)
