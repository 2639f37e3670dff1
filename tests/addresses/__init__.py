"""Addresses of the ledger's rules in the documents: units of the documents, their addresses and digests.

The documents are no part of the repository. `forms.toml` declares the structure of their texts, and every command
takes the folder that contains them.
"""
