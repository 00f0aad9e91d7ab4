import { execFile } from "node:child_process";
import { promisify } from "node:util";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { faultOfAnswer } from "../../tools/fuzz/fuzz-judge.ts";
import { fuzzFaultsOf, runFuzz } from "../../tools/fuzz/fuzz-run.ts";
import { faultsOf, runLoad, type LoadReport } from "../../tools/load/load-run.ts";
import { makeDataDir, startOwnService, type OwnService } from "../../tools/own-service.ts";
import { queueLimit } from "../../main/services/measuring/work-queue.ts";
import { makeLeanPacks } from "../main/server/service/lean-packs.ts";
import { fixtureImage } from "../main/server/service/sample-images.ts";

let own: Awaited<ReturnType<typeof makeDataDir>>;
let service: OwnService;

beforeAll(async () => {
  own = await makeDataDir("test");
  service = await startOwnService(own.dataDir, makeLeanPacks(own.dataDir));
});
afterAll(async () => {
  expect(await service.stop()).toBe(0);
  own.remove();
});

/**
 * What an image takes on this machine, two side by side as under load [ms]; asked of another service, since the load is
 * compared with its ledger.
 */
async function imageMs(films: readonly string[]): Promise<number> {
  const other = await makeDataDir("speed");
  const idle = await startOwnService(other.dataDir, makeLeanPacks(other.dataDir));
  const ask = () =>
    idle.send("POST", "/v3/predict", JSON.stringify({ images: [...films, ...films] }), {
      "x-api-key": other.key,
      "content-type": "application/json",
    });
  await ask();
  const startedAt = performance.now();
  for (let round = 0; round < 4; round += 1) expect((await ask()).status).toBe(200);
  const measuredMs = performance.now() - startedAt;
  await idle.stop();
  other.remove();
  return measuredMs / 8;
}

describe("the long commands, in short", () => {
  it(
    "load: the queue fills and says when to come back, no charge is lost or made twice, memory stays flat",
    { timeout: 1_200_000 },
    async () => {
      const film = await sharp(Buffer.from(fixtureImage("films/dog-01.jpg"), "base64"))
        .resize({ width: 700 })
        .jpeg()
        .toBuffer();
      const films = [film.toString("base64")];
      // So long that the queue is gone through a dozen times: clients come back with the patient that they had, and
      // memory has settled by the middle third, since buffers of codecs and networks grow over some 250 images.
      const seconds = Math.max(60, (12 * queueLimit * (await imageMs(films))) / 1000);
      const report = await runLoad(service, own.dataDir, own.key, { clients: 32, seconds, films });
      expect(faultsOf(report)).toEqual([]);
      expect(report.charged).toBeGreaterThan(10);
      expect(report.rechecks).toBeGreaterThan(0);
    },
  );
  it("load: names each broken rule", () => {
    const kept: LoadReport = {
      seconds: 60,
      predictions: 100,
      statuses: { 200: 90, 429: 5 },
      badRetryAfter: 0,
      filmsWithSeveralValues: 0,
      complaints: [],
      isWellAfterwards: true,
      charged: 45,
      rechecks: 45,
      lost: 0,
      surplus: 0,
      chargedTwice: 0,
      neverCharged: 0,
      isChainIntact: true,
      middle: { residentMegabytes: 400, openFiles: 60 },
      late: { residentMegabytes: 464, openFiles: 68 },
    };
    expect(faultsOf(kept)).toEqual([]);
    const broken: Partial<LoadReport>[] = [
      { statuses: { 200: 90 } },
      { statuses: { 200: 90, 429: 5, 500: 1 } },
      { badRetryAfter: 1 },
      { lost: 1 },
      { surplus: 1 },
      { chargedTwice: 1 },
      { neverCharged: 1 },
      { isChainIntact: false },
      { filmsWithSeveralValues: 1 },
      { complaints: ["a warning"] },
      { isWellAfterwards: false },
      { late: { residentMegabytes: 465, openFiles: 68 } },
      { late: { residentMegabytes: 464, openFiles: 69 } },
    ];
    expect(broken.map((change) => faultsOf({ ...kept, ...change }).length)).toEqual(broken.map(() => 1));
  });
  // The command itself: in a process of the test runner, memory is the runner's as well.
  it(
    "soak: a hundred and fifty predictions with every network leave nothing behind",
    { timeout: 300_000 },
    async () => {
      const args = ["tools/load/load.ts", "--soak", "--predictions", "150"];
      const { stdout } = await promisify(execFile)(process.execPath, args).catch((error: { stdout: string }) => error);
      expect(stdout).not.toContain("FAULT");
      expect(stdout).toContain('"predictions": 150');
    },
  );
  it(
    "fuzz: a thousand strange requests with every network, and none is answered with 500",
    { timeout: 400_000 },
    async () => {
      const whole = await makeDataDir("fuzz");
      const fuzzed = await startOwnService(whole.dataDir);
      const report = await runFuzz(fuzzed, whole.key, 20_261, 1000);
      expect(await fuzzed.stop()).toBe(0);
      whole.remove();
      expect(fuzzFaultsOf(report)).toEqual([]);
      expect(report.requests).toBe(1000);
    },
  );
  it("fuzz: names an answer out of order or shape", () => {
    const fault = (path: string, status: number, text: string, type = "application/json") =>
      faultOfAnswer(
        { method: "POST", path, headers: {}, body: Buffer.alloc(0) },
        { status, text, headers: { "content-type": type } },
      );
    const started = 'event: processing_started\ndata: {"n_images":1,"model_version":"1"}\n\n';
    const failed = 'event: error\ndata: {"index":0,"uuid":"","error":"Internal server error"}\n\n';
    expect(
      [
        fault("/v3/corners", 500, '{"error":"Internal server error"}'),
        fault("/v3/corners", 503, '{"error":"PoP pipeline not available"}'),
        fault("/v3/corners", 400, '{"error":5}'),
        fault("/v3/corners", 200, "{}"),
        fault("/v3/corners", 200, "<html>"),
        fault("/v3/predict/stream", 200, started + failed, "text/event-stream"),
        fault("/v3/predict/stream", 200, started + "event: bomb\ndata: {}\n\n", "text/event-stream"),
      ].map((told) => told !== null),
    ).toEqual(Array(7).fill(true));
    expect(fault("/v3/corners", 400, '{"error":"Invalid base64 image"}')).toBe(null);
  });
});
