import { describe, expect, it } from "vitest";
import sharp from "sharp";
import { defaultLimits } from "../../main/server/server-limits.ts";
import { queueLimit } from "../../main/services/measuring/work-queue.ts";
import { emptyPng } from "../fixtures/imaging/empty-png.ts";
import { fixtureImage, fixtureNames, plainImage } from "../main/server/service/sample-images.ts";
import { unrectifiedFrame } from "../fixtures/pop-frames.ts";
import { measured } from "../main/store/sample-store.ts";
import { paddedPng } from "./service/padded-image.ts";
import { describeScripted } from "./service/scripted-rows.ts";
import { itOwn, useServiceUnderTest } from "./service/service-under-test.ts";
import { rawly } from "../fixtures/raw-store.ts";

const tenMegabytes = 10 * 1024 * 1024;
const image = await plainImage();
const film = fixtureImage(fixtureNames("films")[0] ?? "");
const service = useServiceUnderTest();

describe("8 Limits: batch and image size", () => {
  it("batch and image size: 10 images of exactly 10 MB are accepted", async () => {
    const padded = await paddedPng(film, tenMegabytes);
    expect(Buffer.from(padded, "base64")).toHaveLength(tenMegabytes);
    const images = [padded, ...Array<string>(9).fill(Buffer.alloc(tenMegabytes).toString("base64"))];
    // JSON.stringify would scan 140 MB for characters to escape, which Base64 does not contain.
    const text = `{"images":["${images.join('","')}"]}`;
    const { status, body } = await service.post("/v3/predict", text);
    expect([status, body["n_photos_processed"], body["n_photos_with_landmarks"]]).toEqual([200, 10, 1]);
  });
  it.each(["/v3/predict", "/v3/predict/stream"])("batch size: 11 images are 400 (%s)", async (path) => {
    expect(await service.post(path, { images: Array(11).fill("***") })).toMatchObject({
      status: 400,
      body: { error: "Invalid field: images must have at most 10 items" },
    });
  });
  it("decision Batch: an empty batch is 400", async () =>
    expect(await service.post("/v3/predict", { images: [] })).toMatchObject({
      status: 400,
      body: { error: "Invalid field: images must have at least 1 item" },
    }));
});

describe("8 Limits: formats and resolution", () => {
  // JPEG and PNG are covered by the films and the image of 10 MB.
  it.each(["webp", "gif", "tiff"] as const)("format %s is 400 (decision Server: by content)", async (format) => {
    const converted = await sharp(Buffer.from(image, "base64")).toFormat(format).toBuffer();
    expect(await service.post("/v3/predict", { image: converted.toString("base64") })).toMatchObject({
      status: 400,
      body: { error: "Image must be JPEG or PNG" },
    });
  });
  it("more than 100 megapixels are 400 (decision Server)", async () => {
    const picture = emptyPng({ sidePx: 10_001, colourType: 0, bits: 8, isInterlaced: false, hasPixels: true });
    const image = picture.toString("base64");
    expect(await service.post("/v3/predict", { image })).toMatchObject({
      status: 400,
      body: { error: "Image exceeds maximum of 100 megapixels" },
    });
  });
  it("processing resolution: a film of 3000 px is measured at 1080 px", async () => {
    const { body } = await service.post("/v3/predict", { image: fixtureImage("films/dog-large-01.jpg"), render: true });
    const rendered = sharp(Buffer.from(body["rendered_image"] as string, "base64"));
    expect(body["vhs"]).toEqual(expect.any(Number));
    if (service.own) expect((await rendered.metadata()).width).toBe(1080);
  });
});

describe("8 Limits: sessions and time", () => {
  itOwn("request timeout: 300 seconds (its error: section 7)", () =>
    expect(defaultLimits.requestTimeoutMs).toBe(300_000),
  );
  itOwn("decision Server: up to 64 images wait, since no rate limit is specified", () => expect(queueLimit).toBe(64));
});

describeScripted("8 Limits, with scripted networks", (scripted) => {
  const start = async () => String((await scripted.post("/v3/pop-session/start", {})).body["session_id"]);
  const send = async (id: string) => (await scripted.post("/v3/pop-session", { image, session_id: id })).body;

  it("EXIF orientation is applied (section 1): a rotated image is measured upright", async () => {
    const sizes: [number, number][] = [];
    scripted.script.measure = async ({ widthPx, heightPx }) => {
      sizes.push([widthPx, heightPx]);
      return measured;
    };
    const stored = sharp(Buffer.from(image, "base64")).withMetadata({ orientation: 6 }).png();
    await scripted.post("/v3/predict", { image: (await stored.toBuffer()).toString("base64") });
    expect(sizes).toEqual([[48, 64]]);
  });
  it("the twentieth frame is the last one", async () => {
    const id = await start();
    scripted.script.measurePhotograph = async () => unrectifiedFrame;
    expect(await send(id)).toMatchObject({ session_status: "continue", frames_processed: 1 });
    await rawly(scripted.context.db, "UPDATE pop_sessions SET frames_processed = 18, consecutive_failures = 0");
    expect(await send(id)).toMatchObject({ session_status: "continue", frames_processed: 19 });
    expect(await send(id)).toMatchObject({
      session_status: "failed",
      error: "max_frames_exceeded",
      frame_index: 19,
      billing: { billable: false },
    });
    expect(await rawly(scripted.context.db, "SELECT seq FROM ledger")).toEqual([]);
  });
});
