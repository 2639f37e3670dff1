"""A target in a separate process, in any language: `cmd:command line`."""
