"""The fast engine: rules lowered to flat code that runs as WebAssembly."""

from ruledsl.engine.engine import Engine
from ruledsl.engine.played import EngineError

__all__ = ["Engine", "EngineError"]
