"""Serve the site: `python -m app`. On one machine this starts the worker too, and keeps it running."""

from __future__ import annotations

import argparse
import logging
import sys

from app.instructor import key
from app.main import create_app
from app.serving import CannotServe, Site
from app.settings import Settings, from_environment
from judge.migrations import migrate


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m app", description=__doc__)
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8000)
    parser.add_argument("--no-worker", action="store_true", help="the worker runs elsewhere, and so do migrations")
    options = parser.parse_args()
    logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(name)s %(levelname)s %(message)s")
    try:
        settings = from_environment()
        app = create_app(settings)
        site = Site(app, options.host, options.port, lambda address: greeting(address, settings))
    except (CannotServe, ValueError) as reason:
        print(reason, file=sys.stderr)
        return 1
    if not options.no_worker:
        migrate(settings.database)
    app.state.shelves.shelf()  # the first visitor does not wait for it
    return site.serve_until_told(with_worker=not options.no_worker)


def greeting(address: str, settings: Settings) -> str:
    return f"Five Lines is at {address}/\nInstructors: {address}/en/teach?key={key(settings.secret)}"


if __name__ == "__main__":
    sys.exit(main())
