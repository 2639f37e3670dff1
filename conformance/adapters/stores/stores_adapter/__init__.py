"""Stores of other projects as backends. Each module has one family; a store is `py:stores_adapter.FAMILY:NAME`."""
