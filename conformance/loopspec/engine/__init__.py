"""The engine performs a case, judges it, and runs a plan of cases."""
