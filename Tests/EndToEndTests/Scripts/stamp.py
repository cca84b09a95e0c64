"""Passes lines on, each with the moment it came behind it, since a busy test reads them late."""

import sys
import time

for line in sys.stdin:
    print(f"{line.rstrip()} stamp={time.monotonic():.3f}", flush=True)
