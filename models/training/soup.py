"""Averages the weights of runs that started from one checkpoint, for example of several runs in parallel on few cores.

python3 -m training.soup --out runs/trunk.pt runs/branch-1.pt runs/branch-2.pt runs/branch-3.pt
"""

import argparse

import torch


def average(states: list[dict[str, torch.Tensor]]) -> dict[str, torch.Tensor]:
    """Mean of state dicts; counters are taken from the first."""
    first = states[0]
    return {
        name: torch.stack([state[name] for state in states]).mean(0) if value.dtype.is_floating_point else value
        for name, value in first.items()
    }


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        prog="training.soup", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", required=True)
    parser.add_argument(
        "--half", action="store_true", help="16-bit floats, half the file (training starts from it just as well)"
    )
    parser.add_argument("checkpoints", nargs="+")
    arguments = parser.parse_args()
    saved = [torch.load(path, map_location="cpu") for path in arguments.checkpoints]
    model = average([part["model"] for part in saved])
    if arguments.half:
        model = {name: value.half() if value.dtype.is_floating_point else value for name, value in model.items()}
    torch.save({"model": model}, arguments.out)
