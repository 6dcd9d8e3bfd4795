"""What one box may use."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """What one box may use. `processes` counts those besides the box itself; files count each for itself."""

    wall_s: float = 5.0
    cpu_s: float = 5.0
    memory_mib: int = 512
    processes: int = 0
    output_kib: int = 64
    file_kib: int = 1024
