import { readFile, readdir } from "node:fs/promises";
import path from "node:path";
import { Command } from "commander";
import { AppError } from "../core/app-error.ts";
import { decodeImage } from "../main/imaging/decode-image.ts";
import type { Engine } from "../main/inference/engine-types.ts";
import { openEngine } from "../main/commands/running/open-engine.ts";
import { print, runProgram } from "../main/commands/running/run-program.ts";

const pictureSuffixes = [".jpg", ".jpeg", ".png"];

async function findCorners(folders: readonly string[], { packs }: { readonly packs?: string }): Promise<void> {
  const engine = await openEngine("find-corners", packs);
  try {
    for (const file of (await Promise.all(folders.map(picturesIn))).flat()) {
      const corners = await cornersIn(engine, file);
      print(JSON.stringify({ file, corners: corners && corners.map(({ x, y }) => [x, y]) }));
    }
  } finally {
    await engine.close();
  }
}

/** Returns null for a picture without a film, or one that cannot be decoded, e.g. because it is too small. */
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

await runProgram(
  new Command("find-corners")
    .description(
      "print a JSON line per JPEG or PNG file with the corners of the film on a photographed screen [px of the upright picture], or null",
    )
    .argument("<folder...>", "folders with pictures")
    .option("--packs <dir>", "model packs to use instead of the program's own")
    .action(findCorners),
  process.argv.slice(2),
);
