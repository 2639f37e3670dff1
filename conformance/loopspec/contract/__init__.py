"""The contract between the harness and an implementation: plain data and protocols."""
