"""Write the files of the extensions that are made from the language: `make editors`."""

from pathlib import Path

from ruledsl.language_server.extension import files

for name, text in files().items():
    (Path(__file__).parent / name).write_text(text, "utf-8")
