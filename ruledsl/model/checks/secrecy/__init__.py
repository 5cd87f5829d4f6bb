"""Which information a value carries: from where it is read, and who may see that."""
