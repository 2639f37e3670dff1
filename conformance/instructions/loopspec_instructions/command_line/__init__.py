"""For adapters of command-line tools that read instruction files: programs, and a model on loopback."""
