import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import sharp from "sharp";
import { camera, cornersOf, photographBoard, worstOffsetPx } from "../main/imaging/checkerboard.ts";
import { fixtureImage, plainImage } from "../main/server/service/sample-images.ts";
import { fieldsOf, isCount, isFourCorners, isJpeg, isOneOf, isText, keysOf, type Row } from "./service/fields.ts";
import { needsPop, useServiceUnderTest, type Answer } from "./service/service-under-test.ts";
import { photographs } from "../fixtures/truth.ts";

const screen = photographs[1]!;
const image = fixtureImage(`screens/${screen.file}`);
const withoutFilm = await plainImage(400, 300);
const service = useServiceUnderTest();
let corners: Answer;
let rectified: Answer;
let both: Answer;

beforeAll(async () => {
  corners = await service.post("/v3/corners", { image });
  rectified = await service.post("/v3/rectify", { image, corners: screen.corners });
  both = await service.post("/v3/preprocess", { image });
});

const picture = ({ body }: Answer) => sharp(Buffer.from(body["rectified_image"] as string, "base64"));
const lengthPx = (from: readonly [number, number], to: readonly [number, number] = [0, 0]) =>
  Math.hypot(to[0] - from[0], to[1] - from[1]);

/** Quantisation tables of a JPEG, which depend on its quality. */
function quantisationOf(jpeg: Buffer): string[] {
  const tables: string[] = [];
  for (let at = 2; jpeg[at] === 0xff && jpeg[at + 1] !== 0xda; at += 2 + jpeg.readUInt16BE(at + 2)) {
    if (jpeg[at + 1] === 0xdb) tables.push(jpeg.toString("hex", at + 4, at + 2 + jpeg.readUInt16BE(at + 2)));
  }
  return tables;
}

it("corners, rectify and preprocess succeed with the PoP networks, and are 503 without them", () => {
  expect([corners, rectified, both].map(({ status }) => status)).toEqual(
    Array(3).fill(service.isPopEnabled ? 200 : 503),
  );
});

describe("4 POST /v3/corners", () => {
  beforeEach(needsPop(service));
  const rows: Row[] = [
    ["corners", isFourCorners],
    ["order", isOneOf("TL,TR,BR,BL")],
    ["image_width", isOneOf(screen.width)],
    ["image_height", isOneOf(screen.height)],
    ["model_version", isText],
  ];
  it.each(rows)("%s", (field, holds) => expect(holds(corners.body[field]), corners.text.slice(0, 200)).toBe(true));
  it("no other field", () => expect(keysOf(corners.body)).toEqual(fieldsOf(rows)));
  it("corners are in pixels of the photograph, TL first, correct within 2 % of its longest side", () => {
    const found = corners.body["corners"] as [number, number][];
    const offsets = screen.corners.map(
      (corner, index) => lengthPx(corner, found[index]) / Math.max(screen.width, screen.height),
    );
    expect(Math.max(...offsets)).toBeLessThan(0.02);
  });
  it("422 without a screen", async () => {
    expect(await service.post("/v3/corners", { image: withoutFilm })).toMatchObject({
      status: 422,
      body: { error: "Corner detection failed" },
    });
  });
});

describe("4 POST /v3/rectify", () => {
  beforeEach(needsPop(service));
  const rows: Row[] = [
    ["rectified_image", isJpeg],
    ["width", isCount],
    ["height", isCount],
    ["model_version", isText],
  ];
  it.each(rows)("%s", (field, holds) => expect(holds(rectified.body[field])).toBe(true));
  it("no other field", () => expect(keysOf(rectified.body)).toEqual(fieldsOf(rows)));
  it("width and height equal those of the picture", async () => {
    const { format, width, height } = await picture(rectified).metadata();
    expect({ format, width, height }).toEqual({
      format: "jpeg",
      width: rectified.body["width"],
      height: rectified.body["height"],
    });
  });
  it("is a JPEG of quality 92", async () => {
    const reference = await sharp({ create: { width: 16, height: 16, channels: 3, background: "grey" } })
      .jpeg({ quality: 92 })
      .toBuffer();
    expect(quantisationOf(Buffer.from(rectified.body["rectified_image"] as string, "base64"))).toEqual(
      quantisationOf(reference),
    );
  });
  it("keeps the film's size in the upright photograph (section 1: EXIF orientation), above 1080 px", async () => {
    const stored = sharp(Buffer.from(await plainImage(1800, 2400), "base64")).withMetadata({ orientation: 6 });
    const answer = await service.post("/v3/rectify", {
      image: (await stored.png().toBuffer()).toString("base64"),
      corners: [
        [100, 100],
        [2300, 100],
        [2300, 1700],
        [100, 1700],
      ],
    });
    expect(answer.body).toMatchObject({ width: 2200, height: 1600 });
  });
  it("rectifies a photographed checkerboard within 1 px", async () => {
    const eye = camera(40, 25);
    const { data, widthPx, heightPx } = photographBoard(eye);
    const photograph = sharp(data, { raw: { width: widthPx, height: heightPx, channels: 3 } }).png();
    const answer = await service.post("/v3/rectify", {
      image: (await photograph.toBuffer()).toString("base64"),
      corners: cornersOf(eye).map(({ x, y }) => [x, y]),
    });
    const { data: grey, info } = await picture(answer).greyscale().raw().toBuffer({ resolveWithObject: true });
    expect(Math.abs(info.width - info.height)).toBeLessThanOrEqual(1);
    expect(
      worstOffsetPx((x, y) => grey[y * info.width + x] as number, { widthPx: info.width, heightPx: info.height }),
    ).toBeLessThan(1);
  });
  it.each<[string, unknown, RegExp]>([
    ["none", undefined, /^Missing required field: corners$/],
    [
      "not numbers",
      [
        ["0", 0],
        [300, 0],
        [300, 200],
        [0, 200],
      ],
      /^Invalid field: corners\[0\]\[0\] must be a finite number$/,
    ],
    [
      "far outside",
      [
        [0, 0],
        [3000, 0],
        [300, 200],
        [0, 200],
      ],
      /^Invalid field: corners \(TR lies outside the image of 400 x 300 px\)$/,
    ],
    ["one point", Array(4).fill([5, 5]), /an edge is shorter than 16 px/],
  ])("corners that are %s are 400 with the reason", async (_, bad, error) => {
    expect(await service.post("/v3/rectify", { image: withoutFilm, corners: bad })).toMatchObject({
      status: 400,
      body: { error: expect.stringMatching(error) },
    });
  });
});

describe("4 POST /v3/preprocess", () => {
  beforeEach(needsPop(service));
  const rows: Row[] = [
    ["rectified_image", isJpeg],
    ["corners", isFourCorners],
    ["order", isOneOf("TL,TR,BR,BL")],
    ["width", isCount],
    ["height", isCount],
    ["model_version", isText],
  ];
  it.each(rows)("%s", (field, holds) => expect(holds(both.body[field])).toBe(true));
  it("no other field", () => expect(keysOf(both.body)).toEqual(fieldsOf(rows)));
  it("equals corners followed by rectify", async () => {
    const after = await service.post("/v3/rectify", { image, corners: corners.body["corners"] });
    const size = ({ body }: Answer) => [body["width"], body["height"]];
    expect([both.body["corners"], size(both)]).toEqual([corners.body["corners"], size(after)]);
    const [one, other] = await Promise.all(
      [both, after].map((answer) => picture(answer).greyscale().resize(64, 64, { fit: "fill" }).raw().toBuffer()),
    );
    expect(
      Math.max(...(one ?? Buffer.alloc(0)).map((value, index) => Math.abs(value - (other?.[index] ?? 999)))),
    ).toBeLessThan(4);
  });
  it("422 without a screen", async () => {
    expect(await service.post("/v3/preprocess", { image: withoutFilm })).toMatchObject({
      status: 422,
      body: { error: "Corner detection failed" },
    });
  });
});
