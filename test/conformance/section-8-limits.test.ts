// Runs once: its queries are tested elsewhere.
import { describe, expect, it } from "vitest";
import sharp from "sharp";
import { defaultLimits } from "../../main/server/server-limits.ts";
import { queueLimit } from "../../main/services/measuring/work-queue.ts";
import { emptyPng } from "../fixtures/imaging/empty-png.ts";
import { fixtureImage, fixtureNames, plainImage } from "../main/server/service/sample-images.ts";
import { unrectifiedFrame } from "../main/server/service/scripted-service.ts";
import { paddedPng } from "./service/padded-image.ts";
import { describeScripted } from "./service/scripted-rows.ts";
import { itOwn, useServiceUnderTest } from "./service/service-under-test.ts";
import { rawly } from "../fixtures/raw-store.ts";

const tenMegabytes = 10 * 1024 * 1024;
const image = await plainImage();
const film = fixtureImage(fixtureNames("films")[0] ?? "");
const service = useServiceUnderTest();

describe("8 Limits: batch and image size", () => {
  it("batch size: 10 images are taken", async () => {
    const images = Array.from({ length: 10 }, (_, index) => (index === 0 ? film : "***"));
    expect((await service.post("/v3/predict", { images })).body["n_photos_processed"]).toBe(10);
  });
  it.each(["/v3/predict", "/v3/predict/stream"])("batch size: 11 images are 400: %s", async (path) => {
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
  it("decision Batch: image and images together are 400", async () => {
    expect(await service.post("/v3/predict", { image: film, images: [film] })).toMatchObject({
      status: 400,
      body: { error: "Invalid field: send image or images, not both" },
    });
  });
  it("image size: 10 MB exactly are measured", async () => {
    const image = await paddedPng(film, tenMegabytes);
    expect(Buffer.from(image, "base64")).toHaveLength(tenMegabytes);
    expect((await service.post("/v3/predict", { image })).status).toBe(200);
  });
  it("ten images of 10 MB are measured in one request", async () => {
    const image = await paddedPng(film, tenMegabytes);
    const { status, body } = await service.post("/v3/predict", { images: Array(10).fill(image) });
    expect([status, body["n_photos_processed"]]).toEqual([200, 10]);
  });
});

describe("8 Limits: formats and resolution", () => {
  // The films are JPEG; the images of 10 MB and the one stored on its side are PNG.
  it.each(["webp", "gif", "tiff"] as const)("format %s is 400 (decision Server: by content)", async (format) => {
    const converted = await sharp(Buffer.from(film, "base64")).resize(600).toFormat(format).toBuffer();
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
  const large = async () =>
    (await sharp(Buffer.from(film, "base64")).resize({ width: 3000 }).jpeg({ quality: 95 }).toBuffer()).toString(
      "base64",
    );
  it("processing resolution: the longest side is brought to 1080 px", async () => {
    const [small, big] = [
      await service.post("/v3/predict", { image: film }),
      await service.post("/v3/predict", { image: await large() }),
    ];
    expect(Math.abs((small.body["vhs"] as number) - (big.body["vhs"] as number))).toBeLessThan(0.3);
  });
  itOwn("processing resolution: a film of 3000 px is drawn with 1080", async () => {
    const { body } = await service.post("/v3/predict", { image: await large(), render: true });
    const { width } = await sharp(Buffer.from(body["rendered_image"] as string, "base64")).metadata();
    expect(width).toBe(1080);
  });
  it("EXIF orientation is applied (section 1): a film stored on its side is measured upright", async () => {
    const stored = (
      await sharp(Buffer.from(film, "base64")).rotate(-90).withMetadata({ orientation: 6 }).png().toBuffer()
    ).toString("base64");
    const [upright, turned] = [
      await service.post("/v3/predict", { image: film }),
      await service.post("/v3/predict", { image: stored }),
    ];
    expect(turned.body).toMatchObject({
      vhs: upright.body["vhs"],
      vlas: upright.body["vlas"],
      prediction: upright.body["prediction"],
    });
  });
});

describe("8 Limits: sessions and time", () => {
  itOwn("request timeout: 300 seconds (what it brings about: section 7)", () =>
    expect(defaultLimits.requestTimeoutMs).toBe(300_000),
  );
  itOwn("decision Server: 64 images wait, for want of a published rate limit", () => expect(queueLimit).toBe(64));
});

describeScripted("8 Limits: sessions that reach them", (scripted) => {
  const start = async () => String((await scripted.post("/v3/pop-session/start", {})).body["session_id"]);
  const send = async (id: string) => (await scripted.post("/v3/pop-session", { image, session_id: id })).body;

  it("300 s after its start a session still takes a frame, a moment later none", async () => {
    const id = await start();
    scripted.clock.at = new Date(scripted.clock.at.getTime() + 300_000);
    expect(await send(id)).toMatchObject({ session_status: "continue" });
    scripted.clock.at = new Date(scripted.clock.at.getTime() + 1);
    expect(await send(id)).toMatchObject({
      session_status: "failed",
      error: "session_timeout",
      billing: { billable: false },
    });
    expect(await rawly(scripted.context.db, "SELECT seq FROM ledger")).toEqual([]);
  });
  it("the twentieth frame is the last", async () => {
    const id = await start();
    scripted.script.measurePhotograph = async () => unrectifiedFrame;
    // Failures in a row would end it earlier: the count of frames alone is looked at here.
    for (let frame = 1; frame < 20; frame += 1) {
      expect(await send(id)).toMatchObject({ session_status: "continue", frames_processed: frame });
      await rawly(scripted.context.db, "UPDATE pop_sessions SET consecutive_failures = 0");
    }
    expect(await send(id)).toMatchObject({
      session_status: "failed",
      error: "max_frames_exceeded",
      frame_index: 19,
      billing: { billable: false },
    });
    expect(await rawly(scripted.context.db, "SELECT seq FROM ledger")).toEqual([]);
  });
});
