"""Who serves a bundle: the ownership channel and its records, the locks, recorded logs."""
