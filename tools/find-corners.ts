import { readFile, readdir } from "node:fs/promises";
import path from "node:path";
import { parseArgs } from "node:util";
import { decodeImage } from "../main/imaging/decode-image.ts";
import { openEngine } from "../main/commands/running/open-engine.ts";
import { runCommand, UsageError } from "../main/commands/running/run-command.ts";

const usage = `find-corners [--packs DIR] FOLDER…
  one JSON line per JPEG or PNG file: the corners of the film that a photographed screen shows, in pixels of the upright picture, or null;
  models/training measures the corner detector with it`;

const options = { packs: { type: "string" } } as const;
const pictureSuffixes = [".jpg", ".jpeg", ".png"];

runCommand("find-corners", usage, async (args, print) => {
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
  if (positionals.length === 0) throw new UsageError("no FOLDER");
  const engine = await openEngine("find-corners", values.packs);
  try {
    for (const file of (await Promise.all(positionals.map(picturesIn))).flat()) {
      const corners = await engine.findCorners(await decodeImage(await readFile(file)));
      print(JSON.stringify({ file, corners: corners && corners.map(({ x, y }) => [x, y]) }));
    }
  } finally {
    await engine.close();
  }
});

async function picturesIn(folder: string): Promise<readonly string[]> {
  const names = (await readdir(folder)).filter((name) => pictureSuffixes.includes(path.extname(name).toLowerCase()));
  return names.sort().map((name) => path.join(folder, name));
}
