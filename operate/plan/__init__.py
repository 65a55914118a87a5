"""What a limit guarantees and lets through at worst, for who is about to set one."""
