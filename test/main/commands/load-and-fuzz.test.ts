import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createFuzzer } from "../../../main/commands/fuzz-bodies.ts";
import { runFuzz } from "../../../main/commands/fuzz-run.ts";
import { runLoad } from "../../../main/commands/load-run.ts";
import { makeDataDir, startOwnService, type OwnService } from "../../../main/commands/own-service.ts";
import { makeLeanPacks } from "../server/lean-packs.ts";
import { fixtureImage, plainImage } from "../server/sample-images.ts";

let own: ReturnType<typeof makeDataDir>;
let service: OwnService;

beforeAll(async () => {
  own = makeDataDir("test");
  service = await startOwnService(own.dataDir, makeLeanPacks(own.dataDir));
});
afterAll(async () => {
  expect(await service.stop()).toBe(0);
  own.remove();
});

describe("the long commands, in short", () => {
  it("load: no call is lost or charged twice, a full queue says when to come back", { timeout: 120_000 }, async () => {
    const film = await sharp(Buffer.from(fixtureImage("films/dog-01.jpg"), "base64")).resize({ width: 700 }).jpeg().toBuffer();
    const report = await runLoad(service, own.dataDir, own.key, { clients: 32, seconds: 8, predictions: Number.POSITIVE_INFINITY, films: [film.toString("base64")] });
    expect(Object.keys(report.statuses).filter((status) => status !== "429")).toEqual(["200"]);
    expect(report).toMatchObject({ lost: 0, surplus: 0, isChainIntact: true, isRetryAfterPresent: true });
    expect(report.billed).toBeGreaterThan(10);
  });
  it("fuzz: a thousand strange requests, and none is answered with 500", { timeout: 120_000 }, async () => {
    const report = await runFuzz(service, createFuzzer(20_261, own.key, await plainImage()), 1000);
    expect(report.failures).toEqual([]);
    expect(report.requests).toBe(1000);
    expect(report.statuses["400"]).toBeGreaterThan(100);
    expect(report.statuses["200"]).toBeGreaterThan(20);
  });
});
