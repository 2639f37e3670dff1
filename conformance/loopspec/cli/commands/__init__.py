"""The commands of the command line, each a function from its arguments to an exit code."""
