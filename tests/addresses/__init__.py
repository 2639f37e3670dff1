"""Where the documents say what the ledger's rules say: units of the documents, their addresses and digests.

The documents are no part of the repository. `forms.toml` declares the structure of their texts, and every command
takes the folder that holds them.
"""
