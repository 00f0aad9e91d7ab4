import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { MeasuredRadiograph, RadiographMeasurement } from "../../../core/cardiac/radiograph-measurement.ts";
import { decodeImage } from "../../../main/imaging/decode-image.ts";
import { startEngine, type Engine } from "../../../main/inference/engine.ts";
import type { NetworkPool } from "../../../main/inference/threads/network-pool.ts";

const packFolder = fileURLToPath(new URL("../../../models/packs", import.meta.url));

/** Starts an engine; a pool of one thread loads the networks only once. */
export async function programEngine(pool?: NetworkPool): Promise<Engine> {
  const log = { warn: () => undefined, error: () => undefined };
  const { engine, loaded } = startEngine({ packFolders: [packFolder], programVersion: "1.2.3", log }, pool);
  await loaded;
  return engine;
}

export const film = (name: string): Buffer => readFileSync(new URL(`../../fixtures/films/${name}`, import.meta.url));

export async function measuredBy(engine: Engine, bytes: Buffer): Promise<MeasuredRadiograph> {
  const measurement: RadiographMeasurement = await engine.measure(await decodeImage(bytes));
  if (measurement.kind !== "measured") throw new Error(`not measured: code ${measurement.resultCode}`);
  return measurement;
}

export const scoresOf = ({ score }: MeasuredRadiograph): { vhs: number; vlas: number } => ({
  vhs: score.vhs ?? NaN,
  vlas: score.vlas ?? NaN,
});
