import { createDicomReader } from "../../../main/dicom/dicom-reader.ts";
import { filmPixels } from "../../../main/services/worklist/film-pixels.ts";
import { readFileSync } from "node:fs";
import fc from "fast-check";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { AppError } from "../../../core/app-error.ts";
import { decodeImage } from "../../../main/imaging/decode-image.ts";
import { emptyPng } from "../../fixtures/imaging/empty-png.ts";
import { filmForms, greyOf } from "./film-forms.ts";

const fixture = (name: string) => readFileSync(new URL(`../../fixtures/${name}`, import.meta.url));
const film = fixture("films/dog-01.jpg");

const outcome = (bytes: Uint8Array) =>
  decodeImage(bytes).then(
    () => "decoded",
    (error: unknown) => (error instanceof AppError ? error.code : `bug: ${String(error)}`),
  );
const meanDifference = (a: Uint8Array, b: Uint8Array) =>
  a.reduce((sum, value, index) => sum + Math.abs(value - (b[index] ?? NaN)), 0) / a.length;

const plainPicture = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: "grey" } })
    .png()
    .toBuffer();

describe("decodeImage", () => {
  it("decodes every file format of a film to the same grey levels", async () => {
    const forms = await filmForms(await greyOf(await sharp(film).resize(400).png().toBuffer()));
    const plain = await decodeImage(forms["8-bit grey PNG"] as Buffer);
    expect(plain).toMatchObject({ widthPx: 400, heightPx: 320, fullWidthPx: 400, colour: null });
    for (const [name, bytes] of Object.entries(forms)) {
      const decoded = await decodeImage(bytes);
      expect([decoded.widthPx, decoded.heightPx], name).toEqual([plain.widthPx, plain.heightPx]);
      expect(meanDifference(plain.grey, decoded.grey), name).toBeLessThan(1);
    }
  });

  it("reads CMYK without a profile as complements of light", async () => {
    const decoded = await decodeImage(fixture("imaging/cmyk.jpg"));
    const original = await decodeImage(fixture("imaging/grey.png"));
    expect(meanDifference(original.grey, decoded.grey)).toBeLessThan(2);
  });

  it("measures CMYK in the grey levels of the viewer", async () => {
    const black = await sharp(
      Buffer.alloc(64 * 64 * 4).map((_, at) => (at % 4 === 3 ? 200 : 0)),
      {
        raw: { width: 64, height: 64, channels: 4 },
      },
    )
      .pipelineColourspace("cmyk")
      .toColourspace("cmyk")
      .jpeg()
      .toBuffer();
    expect((await sharp(black).metadata()).space).toBe("cmyk");
    const shown = await filmPixels(createDicomReader(), black);
    const { grey } = await decodeImage(black);
    expect([...shown.data]).toEqual([...grey]);
  });

  it("draws transparency on black", async () => {
    const half = await sharp({
      create: { width: 64, height: 64, channels: 4, background: { r: 200, g: 200, b: 200, alpha: 0.5 } },
    })
      .png()
      .toBuffer();
    expect((await decodeImage(half)).grey[0]).toBeCloseTo(100, -1);
  });

  it("decodes a picture with three equal channels as grey, unless one pixel differs", async () => {
    const pixels = Buffer.alloc(64 * 64 * 3, 90);
    const raw = { width: 64, height: 64, channels: 3 } as const;
    const coloured = Buffer.from(pixels);
    coloured[coloured.length - 1] = 91;
    const decoded = (data: Buffer) =>
      sharp(data, { raw })
        .png()
        .toBuffer()
        .then((png) => decodeImage(png));
    expect((await decoded(pixels)).colour).toBeNull();
    expect((await decoded(coloured)).colour).toHaveLength(pixels.length);
    expect((await decoded(pixels)).grey).toEqual(new Uint8Array(64 * 64).fill(90));
  });

  it("weighs colours by Rec.601", async () => {
    const red = await sharp({ create: { width: 64, height: 64, channels: 3, background: { r: 255, g: 0, b: 0 } } })
      .png()
      .toBuffer();
    expect((await decodeImage(red)).grey[0]).toBe(76);
  });

  it.each([1, 2, 3, 4, 5, 6, 7, 8])("applies EXIF orientation %i", async (orientation) => {
    // The inverse of an orientation is itself, but for the two quarter turns.
    const inverse = orientation === 6 ? 8 : orientation === 8 ? 6 : orientation;
    const upright = await sharp(film).resize(100).png().toBuffer();
    const stored = await sharp(await sharp(upright).withMetadata({ orientation: inverse }).png().toBuffer())
      .autoOrient()
      .png()
      .toBuffer();
    const turned = await decodeImage(await sharp(stored).withMetadata({ orientation }).png().toBuffer());
    const plain = await decodeImage(upright);
    expect([turned.widthPx, turned.heightPx, turned.fullWidthPx, turned.fullHeightPx]).toEqual([100, 80, 100, 80]);
    expect(meanDifference(plain.grey, turned.grey)).toBe(0);
  });

  it("reduces the longest side to 1080 px and also decodes the full size", async () => {
    const large = await decodeImage(fixture("films/dog-large-01.jpg"));
    expect([large.widthPx, large.heightPx, large.fullWidthPx, large.fullHeightPx]).toEqual([1080, 864, 3000, 2400]);
    expect(await large.fullColour()).toMatchObject({ widthPx: 3000, heightPx: 2400, channels: 3 });
    expect(large.sha256).toMatch(/^[0-9a-f]{64}$/);
  });

  it.each([
    ["text", Buffer.from("a radiograph, honestly")],
    ["an empty file", Buffer.alloc(0)],
    ["a GIF", Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64")],
    ["SVG", Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64"/>')],
  ])("rejects %s, which is neither JPEG nor PNG", async (_, bytes) => {
    expect(await outcome(bytes)).toBe("UNSUPPORTED_IMAGE");
  });

  it("rejects a decompression bomb by its header", async () => {
    const ofSide = (sidePx: number) => outcome(emptyPng({ sidePx, colourType: 0, bits: 8, isInterlaced: false }));
    expect(await ofSide(50_000)).toBe("IMAGE_TOO_MANY_PIXELS");
    expect(await ofSide(10_001)).toBe("IMAGE_TOO_MANY_PIXELS");
    expect(await ofSide(10_000)).toBe("INVALID_IMAGE");
  });

  it.each([
    [1, 1],
    [1, 20_000],
    [20_000, 1],
    [31, 31],
    [31, 200],
    [801, 100],
    [100, 801],
  ])("rejects a picture of %i x %i px", async (width, height) => {
    const reason = Math.min(width, height) < 32 ? "small" : "narrow";
    await expect(decodeImage(await plainPicture(width, height))).rejects.toMatchObject({
      code: "INVALID_IMAGE",
      message: expect.stringContaining(`too ${reason}: ${width} x ${height} px`) as string,
    });
  });

  it.each([
    [32, 32],
    [800, 100],
    [270, 2160],
  ])("decodes a picture of %i x %i", async (width, height) => {
    expect(await decodeImage(await plainPicture(width, height))).toMatchObject({ fullWidthPx: width });
  });

  it("throws ABORTED after cancellation", async () => {
    await expect(decodeImage(film, { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: "ABORTED" });
  });
});

describe("damaged files", async () => {
  const small = sharp(film).resize(96);
  const files = {
    jpeg: await small.clone().jpeg().toBuffer(),
    "progressive jpeg": await small.clone().jpeg({ progressive: true }).toBuffer(),
    png: await small.clone().png().toBuffer(),
    "interlaced png": await small.clone().png({ progressive: true }).toBuffer(),
  };

  it.each(Object.entries(files))("rejects a truncated %s at many lengths", async (_, bytes) => {
    // The last bytes (end marker, checksums) contain no pixels: a file without them is complete.
    for (let length = 8; length < bytes.length - 20; length += 197)
      expect(await outcome(bytes.subarray(0, length)), `at ${length}`).toBe("INVALID_IMAGE");
  });

  it.each(Object.entries(files))("decodes or rejects a %s with changed bytes", async (_, bytes) => {
    const changes = fc.array(fc.tuple(fc.nat(bytes.length - 1), fc.nat(255)), { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(changes, async (edits) => {
        const damaged = Buffer.from(bytes);
        for (const [at, value] of edits) damaged[at] = value;
        expect(["decoded", "INVALID_IMAGE", "UNSUPPORTED_IMAGE", "IMAGE_TOO_MANY_PIXELS"]).toContain(
          await outcome(damaged),
        );
      }),
      { numRuns: 60 },
    );
  });

  it("rejects a PNG with any changed pixel byte by its checksums", async () => {
    const bytes = files.png;
    const start = bytes.indexOf("IDAT") + 4;
    for (let at = start; at < bytes.length - 16; at += 197) {
      const damaged = Buffer.from(bytes);
      damaged[at] = (damaged[at] as number) ^ 0x10;
      expect(await outcome(damaged), `at ${at}`).toBe("INVALID_IMAGE");
    }
  });
});
