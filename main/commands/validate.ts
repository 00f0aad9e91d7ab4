import { Command } from "commander";
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";
import { programDir } from "../program.ts";
import { wholeNumber } from "./running/options.ts";
import { UsageError } from "./running/run-program.ts";

type Given = { readonly out: string; readonly worst: number; readonly limit?: number; readonly pack?: string };

const models = path.join(programDir, "models");
const script = path.join(models, "training", "validate.py");

export function validateCommand(): Command {
  return new Command("validate")
    .description(
      "compare measurements with annotated films (index.json, DogHeart, VHSMarker); needs Python and a checkout",
    )
    .argument("<folder>", "annotated films; only read")
    .option("--out <dir>", "folder for films.csv, figures.json and index.html", "corvet-validation")
    .option("--worst <n>", "films measured worst on the page", wholeNumber(0), 12)
    .option("--limit <n>", "measure only the first n films", wholeNumber(1))
    .option("--pack <dir>", "landmark pack to use instead of the program's own")
    .action(validate);
}

/** Runs `models/training/validate.py`, which measures with `corvet measure`; its exit status becomes this command's. */
function validate(folder: string, { out, worst, limit, pack }: Given): void {
  if (!existsSync(script)) throw new UsageError("this needs a checkout of Corvet: models/training is missing");
  if (!existsSync(folder)) throw new UsageError(`${folder}: no such folder`);
  const args = ["-m", "training.validate", path.resolve(folder), "--out", path.resolve(out), "--worst", String(worst)];
  if (limit !== undefined) args.push("--limit", String(limit));
  if (pack !== undefined) args.push("--pack", path.resolve(pack));
  const { status, error } = spawnSync(findPython(), args, { cwd: models, stdio: "inherit" });
  if (error) throw error;
  process.exitCode = status ?? 1;
}

/** First Python with the required libraries. Debian's is tried first, because the training code uses its packages. */
function findPython(): string {
  const found = ["/usr/bin/python3", "python3", "python"].find(
    (name) => spawnSync(name, ["-c", "import cv2, numpy, scipy"], { stdio: "ignore" }).status === 0,
  );
  if (found === undefined)
    throw new UsageError("Python 3.11 with NumPy, OpenCV and SciPy is needed (Debian: python3-opencv python3-scipy)");
  return found;
}
