"""The command line: reads files and arguments, prints, and returns exit codes."""
