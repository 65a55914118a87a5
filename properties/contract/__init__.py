"""Any balancer: does it keep what every balancer owes, and what it promises itself?"""
