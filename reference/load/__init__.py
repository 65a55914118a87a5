"""Load: what a broker or a bundle weighs."""
