import { readFileSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, expect, it } from "vitest";
import { makeDataDir, peakMegabytes, startOwnService, type OwnService } from "../../tools/own-service.ts";
import { emptyPng, type EmptyPng } from "../fixtures/imaging/empty-png.ts";

const mostMegabytes = 1200;
const pictures = 8;

let own: Awaited<ReturnType<typeof makeDataDir>>;
let service: OwnService;
beforeAll(async () => {
  own = await makeDataDir("heavy-images");
  service = await startOwnService(own.dataDir);
});
afterAll(async () => {
  expect(await service.stop()).toBe(0);
  own.remove();
});

async function predict(image: Buffer): Promise<number> {
  return (await service.post(own.key, "/v3/predict", { image: image.toString("base64") })).status;
}

/** Resets the peak memory reported by Linux. */
function resetPeak(): void {
  if (process.platform === "linux") writeFileSync(`/proc/${service.child.pid}/clear_refs`, "5");
}

it.each<readonly [string, EmptyPng]>([
  ["refused by their header", { sidePx: 9990, colourType: 6, bits: 16, isInterlaced: true, hasPixels: true }],
  ["of the largest accepted size", { sidePx: 9990, colourType: 2, bits: 8, isInterlaced: true, hasPixels: true }],
])("measures a film in bounded memory while it receives eight pictures %s", async (_, form) => {
  const film = readFileSync("test/fixtures/films/dog-01.jpg");
  const picture = emptyPng(form);
  expect(await predict(film)).toBe(200);
  resetPeak();
  const heavy = Array.from({ length: pictures }, () => predict(picture));
  expect(await predict(film)).toBe(200);
  for (const status of await Promise.all(heavy)) expect(status).toBeLessThan(500);
  expect(peakMegabytes(service.child) ?? 0).toBeLessThan(mostMegabytes);
});
