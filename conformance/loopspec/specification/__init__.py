"""The specification as data: features, cases, ledger, selection and shards."""
