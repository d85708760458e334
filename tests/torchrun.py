"""Commands that several processes run together on this machine, as torchrun starts them."""

import subprocess
import sys


def run_processes(count: int, arguments: list[str]) -> None:
    """Run `leadline` with these arguments in one process, or in several on gloo."""
    several = ["-m", "torch.distributed.run", "--standalone", f"--nproc_per_node={count}"]
    command = [sys.executable, *(several if count > 1 else []), "-m", "leadline", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
