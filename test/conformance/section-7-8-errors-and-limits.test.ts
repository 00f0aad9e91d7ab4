import { afterAll, beforeAll, describe, expect, it } from "vitest";
import sharp from "sharp";
import { AppError } from "../../core/app-error.ts";
import { appendCharge } from "../../main/store/ledger.ts";
import { fixtureImage, fixtureNames, plainImage } from "../main/server/sample-images.ts";
import { openScriptedService, type ScriptedService } from "../main/server/scripted-service.ts";
import { measured, measuredAt } from "../main/store/sample-store.ts";
import { isForeign, openServiceUnderTest, ownOnly, type ServiceUnderTest } from "./service-under-test.ts";

const tenMegabytes = 10 * 1024 * 1024;
const film = fixtureImage(fixtureNames("films")[0] ?? "");
let service: ServiceUnderTest;

beforeAll(async () => {
  service = await openServiceUnderTest();
});
afterAll(() => service.close());

/** A PNG of exactly this many bytes: the picture and an ancillary chunk of filling. */
async function pngOf(bytes: number): Promise<string> {
  const png = await sharp(Buffer.from(film, "base64")).resize(300).png().toBuffer();
  const end = png.length - 12;
  const data = Buffer.alloc(bytes - png.length - 12);
  const head = Buffer.alloc(8);
  head.writeUInt32BE(data.length);
  head.write("fiLl", 4, "latin1");
  const { crc32 } = await import("node:zlib");
  const crc = Buffer.alloc(4);
  crc.writeUInt32BE(crc32(Buffer.concat([head.subarray(4), data])));
  return Buffer.concat([png.subarray(0, end), head, data, crc, png.subarray(end)]).toString("base64");
}

describe("7 Errors", () => {
  it("400 missing field", async () => expect(await service.post("/v3/predict", {})).toMatchObject({ status: 400, body: { error: "Missing required field: image" } }));
  it("400 invalid field", async () => {
    expect(await service.post("/v3/predict", { image: film, render: "yes" })).toMatchObject({ status: 400, body: { error: "Invalid field: render must be a boolean" } });
  });
  it("403 invalid or missing key", async () => {
    expect(await service.post("/v3/predict", { image: film }, { "x-api-key": "wrong" })).toMatchObject({ status: 403, body: { error: "Invalid API key" } });
  });
  it("413 an image exceeds 10 MB", async () => {
    expect(await service.post("/v3/predict", { image: await pngOf(tenMegabytes + 1) })).toMatchObject({ status: 413, body: { error: "Image exceeds maximum size of 10MB" } });
  });
  it("404 in the same shape", async () => expect(await service.call("GET", "/v3/unknown")).toMatchObject({ status: 404, body: { error: "Not found" } }));
  it("405 in the same shape, with Allow", async () => {
    expect(await service.call("GET", "/v3/predict")).toMatchObject({ status: 405, body: { error: "Method not allowed" }, headers: { allow: "OPTIONS, POST" } });
  });
});

describe.skipIf(isForeign)(`7 Errors and 8 Billing, rows that no picture brings about at will (${ownOnly})`, () => {
  let scripted: ScriptedService;
  let image: string;
  beforeAll(async () => {
    scripted = await openScriptedService();
    image = await plainImage();
  });
  afterAll(() => scripted.close());

  it.each(["/v3/corners", "/v3/preprocess"])("422 corner detection failed: %s", async (path) => {
    scripted.script.findCorners = async () => null;
    expect(await scripted.post(path, { image })).toMatchObject({ status: 422, body: { error: "Corner detection failed" } });
  });
  it("500 internal error", async () => {
    scripted.script.measure = async () => { throw new TypeError("secret"); };
    expect(await scripted.post("/v3/predict", { image })).toMatchObject({ status: 500, body: { error: "Internal server error" } });
  });
  it.each(["/v3/corners", "/v3/preprocess", "/v3/rectify"])("503 PoP pipeline not loaded: %s", async (path) => {
    scripted.script.findCorners = async () => { throw new AppError("POP_NOT_LOADED"); };
    const { health } = scripted.script;
    scripted.script.health = { ...health, isPopEnabled: false };
    const corners = [[0, 0], [60, 0], [60, 40], [0, 40]];
    expect(await scripted.post(path, { image, corners })).toMatchObject({ status: 503, body: { error: "PoP pipeline not available" } });
    scripted.script.health = health;
  });
  it("billing rule 3: 24 hours after a billed call the patient is billed again, and free calls do not extend the grace", async () => {
    scripted.script.measure = async () => measured;
    const bill = async (hours: number) => {
      scripted.clock.at = new Date(Date.parse("2026-12-01T00:00:00Z") + hours * 3_600_000);
      return ((await scripted.post("/v3/predict", { image, uuid: "patient-3" })).body["billing"] as { reason: string }).reason;
    };
    expect([await bill(0), await bill(20), await bill(23.99), await bill(24), await bill(47)]).toEqual(["valid_vhs", "recheck_24h", "recheck_24h", "valid_vhs", "recheck_24h"]);
  });
  it("decision Billing: two calls with one uuid at the same moment bill once", async () => {
    scripted.script.measure = async () => measuredAt(9);
    const answers = await Promise.all([1, 2, 3].map(() => scripted.post("/v3/predict", { image, uuid: "patient-4" })));
    expect(answers.map(({ body }) => (body["billing"] as { reason: string }).reason).sort()).toEqual(["recheck_24h", "recheck_24h", "valid_vhs"]);
  });
  it.each([["paygo", 1, 3, 4], ["paygo", 100, 3, 4], ["starter", 101, 2.5, 3.5], ["starter", 500, 2.5, 3.5], ["professional", 501, 2, 3], ["professional", 2000, 2, 3], ["enterprise", 2001, 2, 3]] as const)(
    "tier %s: the month's call %i costs $%f single, $%f session (decision Billing)", async (tier, ordinal, single, session) => {
      scripted.script.measure = async () => measured;
      for (const [month, body, rate] of [[2 * ordinal, { image }, single], [2 * ordinal + 1, { images: [image] }, session]] as const) {
        scripted.clock.at = new Date(Date.UTC(2027, month, 3));
        fillMonth(scripted, ordinal - 1);
        expect((await scripted.post("/v3/predict", body)).body["billing"]).toMatchObject({ billable: true, monthly_usage: ordinal, tier, rate });
      }
    },
  );
});

/** Charges of the month so far. */
function fillMonth({ context: { db }, accountId, clock: { at } }: ScriptedService, calls: number): void {
  db.transaction(() => {
    for (let count = 0; count < calls; count += 1) {
      appendCharge(db, { accountId, keyId: null, service: "usg", callType: "single", uuid: null, at, measurementId: null, agreements: { enterprise: null, usgCents: null }, callId: `${at.toISOString()}-${count}` });
    }
  })();
}

describe("8 Limits", () => {
  it("batch size: 10 images are taken", { timeout: 60_000 }, async () => {
    const images = Array.from({ length: 10 }, (_, index) => (index === 0 ? film : "***"));
    expect((await service.post("/v3/predict", { images })).body["n_photos_processed"]).toBe(10);
  });
  it("batch size: 11 images are 400", async () => {
    expect(await service.post("/v3/predict", { images: Array(11).fill("***") })).toMatchObject({ status: 400, body: { error: "Invalid field: images must have at most 10 items" } });
  });
  it("decision Batch: an empty batch is 400", async () => expect((await service.post("/v3/predict", { images: [] })).status).toBe(400));
  it("decision Batch: image and images together are 400", async () => expect((await service.post("/v3/predict", { image: film, images: [film] })).status).toBe(400));
  it("image size: 10 MB exactly are measured", { timeout: 60_000 }, async () => {
    const image = await pngOf(tenMegabytes);
    expect(Buffer.from(image, "base64")).toHaveLength(tenMegabytes);
    expect((await service.post("/v3/predict", { image })).status).toBe(200);
  });
  it("ten images of 10 MB are measured in one request", { timeout: 120_000 }, async () => {
    const image = await pngOf(tenMegabytes);
    const { status, body } = await service.post("/v3/predict", { images: Array(10).fill(image) });
    expect([status, body["n_photos_processed"]]).toEqual([200, 10]);
  });
  it.each(["jpeg", "png"] as const)("format %s", async (format) => {
    const image = (await sharp(Buffer.from(film, "base64")).toFormat(format).toBuffer()).toString("base64");
    expect((await service.post("/v3/predict", { image })).status).toBe(200);
  });
  it.each(["webp", "gif", "tiff"] as const)("format %s is 400 (decision Server: by content)", async (format) => {
    const image = (await sharp(Buffer.from(film, "base64")).resize(200).toFormat(format).toBuffer()).toString("base64");
    expect(await service.post("/v3/predict", { image })).toMatchObject({ status: 400, body: { error: "Image must be JPEG or PNG" } });
  });
  it("more than 100 megapixels are 400 (decision Server)", { timeout: 60_000 }, async () => {
    const image = (await sharp({ create: { width: 10_001, height: 10_000, channels: 3, background: "black" } }).png().toBuffer()).toString("base64");
    expect(await service.post("/v3/predict", { image })).toMatchObject({ status: 400, body: { error: "Image exceeds maximum of 100 megapixels" } });
  });
  it("processing resolution: a larger film is measured like itself at 1080 px", async () => {
    const large = (await sharp(Buffer.from(film, "base64")).resize({ width: 3000 }).jpeg({ quality: 95 }).toBuffer()).toString("base64");
    const [small, big] = await Promise.all([film, large].map(async (image) => (await service.post("/v3/predict", { image })).body["vhs"] as number));
    expect(Math.abs((small ?? 0) - (big ?? 99))).toBeLessThan(0.3);
  });
  it("billing rules 1 and 2: a rejected image is not billed", async () => {
    expect((await service.post("/v3/predict", { image: fixtureImage(fixtureNames("negatives")[0] ?? "") })).body["billing"]).toMatchObject({ billable: false, reason: "no_valid_vhs" });
  });
  it("billing rule 6: a new key starts on paygo", async () => {
    expect((await service.post("/v3/predict", { image: film })).body["billing"]).toMatchObject({ tier: "paygo" });
  });
});
