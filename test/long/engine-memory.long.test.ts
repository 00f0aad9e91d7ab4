import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { decodeImage } from "../../main/imaging/decode-image.ts";
import { createEngine } from "../../main/inference/engine.ts";
import { programPacksDir, programVersion } from "../../main/program.ts";

const films = 1000;

it(`keeps memory and handles flat over ${films} films`, async ({ onTestFinished }) => {
  const log = { warn: () => undefined, error: () => undefined };
  const engine = await createEngine({ packFolders: [programPacksDir], programVersion, log });
  onTestFinished(() => engine.close());
  const bytes = readFileSync("test/fixtures/films/dog-01.jpg");
  /** Measures films. Takes the minimum of several samples: resident memory varies by 50 MB with garbage collection. */
  const measureMany = async (runs: number) => {
    const rss: number[] = [];
    for (let run = 0; run < runs; run += 1) {
      await engine.measure(await decodeImage(bytes));
      rss.push(process.memoryUsage().rss);
    }
    return { leastRss: Math.min(...rss), handles: process.getActiveResourcesInfo().length };
  };
  await measureMany(20);
  const before = await measureMany(20);
  await measureMany(films - 60);
  const after = await measureMany(20);
  expect(after.handles).toBeLessThanOrEqual(before.handles + 2);
  expect((after.leastRss - before.leastRss) / 1e6).toBeLessThan(60);
});
