"""The low-level code that rules are lowered to, and its printers."""
