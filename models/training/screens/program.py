"""Corners found by the program: networks, decoding, second pass and refinement at the border."""

import json
import subprocess
from pathlib import Path
from typing import Any

import numpy as np

REPOSITORY = Path(__file__).resolve().parents[3]
COMMAND = ["node", "scripts/run.mjs", "find-corners"]


def corners_of_folder(folder: str | Path, packs: Path) -> dict[str, Any]:
    """Corners [4, 2] in pixels, or None without a film, of every picture in a folder by file name."""
    command = [*COMMAND, "--packs", str(Path(packs).resolve()), str(Path(folder).resolve())]
    done = subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"the program found no corners in {folder}: {done.stderr.strip()[-500:]}")
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    return {Path(row["file"]).name: row["corners"] and np.array(row["corners"]) for row in rows}
