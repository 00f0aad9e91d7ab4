"""Averages the weights of a gate with those of a run that continued from it, and calibrates the result.

  python3 -m training.gate.mix --start runs/start.pt --run runs/gate.pt --held-out runs/held-out --out runs/mixed.pt \\
    --share 0.75

Without --share it prints figures on held-out pictures for several shares: a run on new kinds of pictures may lose
some of the gate's accuracy on earlier ones, which a mixture keeps.
"""

import argparse
from pathlib import Path
from typing import Any

import torch

from .network import GateNet
from .train import HeldOut

SHARES = (0.0, 0.25, 0.5, 0.75, 1.0)


def mixed(start: dict[str, torch.Tensor], run: dict[str, torch.Tensor], share: float) -> GateNet:
    """A gate with the given share of the run's weights; counters are those of the run."""
    net = GateNet()
    net.load_state_dict(
        {
            name: torch.lerp(start[name], value, share) if value.dtype.is_floating_point else value
            for name, value in run.items()
        }
    )
    return net.eval()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--start", type=Path, required=True, help="checkpoint from which the run continued")
    parser.add_argument("--run", type=Path, required=True)
    parser.add_argument("--held-out", required=True, help="made pictures that were not used for training")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--share", type=float, help="share of the run's weights")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    start, run = (torch.load(path, map_location="cpu") for path in (arguments.start, arguments.run))
    held_out = HeldOut(arguments.held_out)
    for share in SHARES if arguments.share is None else (arguments.share,):
        net = mixed(start["weights"], run["weights"], share)
        calibration: dict[str, Any] = held_out.calibration(net, True)
        print(share, held_out.report(net, True))
        if share == arguments.share:
            torch.save({**run, "weights": net.state_dict(), **calibration}, arguments.out)


if __name__ == "__main__":
    main()
