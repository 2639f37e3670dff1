"""The lab: what proves the suite, and what searches beyond its examples."""
