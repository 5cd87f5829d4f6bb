"""The command `ruledsl`."""

import click


@click.group()
@click.version_option(package_name="tabletop-rules", prog_name="ruledsl")
def main() -> None:
    """Rules of tabletop games: check, format, explain, list."""
