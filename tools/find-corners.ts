import { readFile, readdir } from "node:fs/promises";
import path from "node:path";
import { parseArgs } from "node:util";
import { AppError } from "../core/app-error.ts";
import { decodeImage } from "../main/imaging/decode-image.ts";
import type { Engine } from "../main/inference/engine-types.ts";
import { openEngine } from "../main/commands/running/open-engine.ts";
import { runCommand } from "../main/commands/running/run-command.ts";
import { UsageError } from "../main/commands/running/run-program.ts";

const usage = `find-corners [--packs DIR] FOLDER…
  one JSON line per JPEG or PNG file: the corners of the film that a photographed screen shows, in pixels of the upright picture, or null (also for a picture that cannot be measured);
  models/training measures the corner detector with it`;

const options = { packs: { type: "string" } } as const;
const pictureSuffixes = [".jpg", ".jpeg", ".png"];

runCommand("find-corners", usage, async (args, print) => {
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
  if (positionals.length === 0) throw new UsageError("no FOLDER");
  const engine = await openEngine("find-corners", values.packs);
  try {
    for (const file of (await Promise.all(positionals.map(picturesIn))).flat()) {
      const corners = await cornersIn(engine, file);
      print(JSON.stringify({ file, corners: corners && corners.map(({ x, y }) => [x, y]) }));
    }
  } finally {
    await engine.close();
  }
});

/** A picture that the program does not read at all, too small for instance, shows no film either. */
async function cornersIn(engine: Engine, file: string): ReturnType<Engine["findCorners"]> {
  try {
    return await engine.findCorners(await decodeImage(await readFile(file)));
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

async function picturesIn(folder: string): Promise<readonly string[]> {
  const names = (await readdir(folder)).filter((name) => pictureSuffixes.includes(path.extname(name).toLowerCase()));
  return names.sort().map((name) => path.join(folder, name));
}
