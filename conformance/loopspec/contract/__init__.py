"""What crosses the seam between the harness and an implementation: plain data, and the protocols around it."""
