import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import { deserialize, serialize } from "node:v8";
import { randomUUID } from "node:crypto";
import type { DecodedImage } from "../../main/imaging/decode-image.ts";
import { createEngine, type Engine } from "../../main/inference/engine.ts";
import { programPacksDir, programVersion } from "../../main/program.ts";
import { recordingFolder } from "./recording-folder.ts";

/**
 * Measures each film once in a run of the tests and repeats the result after that: the networks start only for a film
 * that no worker has measured yet. Photographs are measured by the networks each time, and so is every film after a
 * reload of the packs.
 */
export function recordingEngine(options: Partial<Parameters<typeof createEngine>[0]> = {}): Promise<Engine> {
  const log = { warn: () => undefined, error: () => undefined };
  const packs = { packFolders: [programPacksDir], programVersion, log, ...options };
  let networks: Promise<Engine> | null = null;
  let reloaded: Engine | null = null;
  const started = () => (networks ??= createEngine(packs));
  return recorded("health", async () => (await started()).health()).then((health) => ({
    health: () => reloaded?.health() ?? health,
    async measure(film: DecodedImage, measuring) {
      if (reloaded) return await reloaded.measure(film, measuring);
      return await recorded(film.sha256, async () => (await started()).measure(film, measuring));
    },
    measurePhotograph: async (photo, measuring) => (await started()).measurePhotograph(photo, measuring),
    findCorners: async (photo, measuring) => (await started()).findCorners(photo, measuring),
    async reload(names) {
      reloaded = await started();
      await reloaded.reload(names);
    },
    close: async () => (await networks)?.close(),
  }));
}

async function recorded<Value>(name: string, measure: () => Promise<Value>): Promise<Value> {
  const file = path.join(recordingFolder(), name);
  if (existsSync(file)) return deserialize(readFileSync(file)) as Value;
  const value = await measure();
  mkdirSync(recordingFolder(), { recursive: true });
  const unfinished = `${file}.${randomUUID()}`;
  writeFileSync(unfinished, serialize(value));
  renameSync(unfinished, file);
  return value;
}
