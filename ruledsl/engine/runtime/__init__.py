"""What every compiled game can do: chance, batches, counting, searching."""
