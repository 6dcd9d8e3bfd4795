"""What boxes are locked with; that it holds is shown in `tests/attacks`."""

from __future__ import annotations

import subprocess
import sys


def test_it_is_read_where_there_is_no_linux() -> None:
    """Without a wall too, the warm parent reads the module."""
    program = (
        "import socket, termios; del termios.TCGETS, socket.SO_DOMAIN, socket.SO_PROTOCOL; import judge.sandbox.lock"
    )
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)
