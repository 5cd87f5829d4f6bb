"""Files that come with the package, wherever and however it is installed.

`importlib.resources` does the same, but it takes longer to import than most commands to run; it is
asked only where the package lies in an archive.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable


def packaged_text(package: str, name: str) -> str:
    """A text file of a package; `FileNotFoundError` if there is none."""
    found = import_module(package)
    (folder,) = found.__path__
    loader: Any = found.__loader__
    data: bytes = loader.get_data(str(Path(folder, name)))
    return data.decode("utf-8")


def packaged_folder(package: str) -> Traversable:
    """The folder of a package."""
    (folder,) = import_module(package).__path__
    if Path(folder).is_dir():
        return Path(folder)
    from importlib.resources import files  # noqa: PLC0415 (see above)

    return files(package)
