"""The smallest complete specification: HBase's SimpleLoadBalancer, for the engine to check."""
