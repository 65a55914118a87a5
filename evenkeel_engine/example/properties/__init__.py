"""What is asked of a balancer, and how its answers are judged."""
