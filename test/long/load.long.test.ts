import sharp from "sharp";
import { afterAll, beforeAll, expect, it } from "vitest";
import { makeDataDir, peakMegabytes, startOwnService, type OwnService } from "../../tools/own-service.ts";
import { patienceMs } from "../fixtures/patience.ts";
import { makeLeanPacks } from "../main/server/service/lean-packs.ts";
import { fixtureImage } from "../main/server/service/sample-images.ts";
import { faultsOf, runLoad } from "./load-run.ts";
import { readProcessFigures } from "./process-figures.ts";

let own: Awaited<ReturnType<typeof makeDataDir>>;
let service: OwnService;
beforeAll(async () => {
  own = await makeDataDir("load");
  service = await startOwnService(own.dataDir, { packsDir: makeLeanPacks(own.dataDir) });
});
afterAll(async () => {
  expect(await service.stop()).toBe(0);
  own.remove();
});

it("neither loses nor doubles a charge while 32 clients fill the queue for ten minutes", async () => {
  const film = await sharp(Buffer.from(fixtureImage("films/dog-01.jpg"), "base64"))
    .resize({ width: 700 })
    .jpeg()
    .toBuffer();
  const load = { clients: 32, seconds: 600, films: [film.toString("base64")] };
  const report = await runLoad(service, own.dataDir, own.key, load);
  expect(faultsOf(report)).toEqual([]);
  expect(report.charged).toBeGreaterThan(10);
  expect(report.rechecks).toBeGreaterThan(0);
});

it.runIf(process.platform === "linux")("releases its memory after two minutes with 32 clients", async () => {
  const { dataDir, key, remove } = await makeDataDir("memory");
  const measuring = await startOwnService(dataDir);
  try {
    const films = ["films/dog-01.jpg", "films/dog-02.jpg", "films/dog-large-01.jpg"].map(fixtureImage);
    await measuring.post(key, "/v3/predict", { image: films[0] });
    const resident = () => readProcessFigures(measuring.child)?.residentMegabytes ?? NaN;
    let startMegabytes = 0;
    const growth = () => -startMegabytes + (startMegabytes = resident());
    // Memory grows until the second network thread has loaded its networks.
    await expect.poll(growth, { timeout: patienceMs, interval: 3000 }).toBeLessThan(1);
    await runLoad(measuring, dataDir, key, { clients: 32, seconds: 120, films });
    const loadedMegabytes = peakMegabytes(measuring.child) ?? NaN;
    console.info(`resident: ${startMegabytes.toFixed(0)} MB at the start, peak ${loadedMegabytes.toFixed(0)} MB`);
    expect(loadedMegabytes).toBeLessThanOrEqual(750);
    await expect.poll(resident, { timeout: 30_000, interval: 500 }).toBeLessThanOrEqual(startMegabytes + 80);
    console.info(`resident within 30 s: ${resident().toFixed(0)} MB`);
  } finally {
    await measuring.stop();
    remove();
  }
});
