"""What an editor wants to know about rules files while they are written.

All but `server` and `protocol` are plain functions of texts: they do no input or output, and know
nothing of the protocol. Places are spans, as everywhere else.
"""
