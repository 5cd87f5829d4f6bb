"""Changes the engine, one place at a time, and looks whether any test notices."""
