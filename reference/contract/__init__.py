"""Any balancer: the cluster around it, what it may promise, and a right one."""
