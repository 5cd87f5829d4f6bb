"""Go through a syntax tree, whatever its forms."""

from __future__ import annotations

from ruledsl.structural import Walk
from ruledsl.syntax import ast

nodes = Walk(ast.Node, "span")
"""A node, or each of a tuple of nodes, and everything below, in the order written."""
