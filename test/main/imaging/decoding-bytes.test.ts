import { describe, expect, it } from "vitest";
import { decodingBytes, isPng, pictureForm } from "../../../main/imaging/decoding/decoding-bytes.ts";
import { decodingLimitBytes } from "../../../main/imaging/decoding/decoding-room.ts";
import { decodeImage, decodeSamples } from "../../../main/imaging/decode-image.ts";
import { emptyPng } from "../../fixtures/imaging/empty-png.ts";
import { plainPicture, sidePx, wholePictures } from "./whole-pictures.ts";

function withSide(picture: Buffer, side: number): Buffer {
  if (isPng(picture)) {
    picture.writeUInt32BE(side, 16);
    picture.writeUInt32BE(side, 20);
  } else {
    const frame = picture.indexOf(Buffer.from([0xff, 0xc2]));
    picture.writeUInt16BE(side, frame + 5);
    picture.writeUInt16BE(side, frame + 7);
  }
  return picture;
}

describe("the estimated memory of decoding", () => {
  it.each(wholePictures)("is close to the size of %s", async (_, make) => {
    // At this size, buffered rows and scaling add a third to the complete picture.
    const image = withSide(await make(64).toBuffer(), sidePx);
    expect(decodingBytes(pictureForm(image))).toBeLessThan(sidePx * sidePx * 16);
    expect(decodingBytes(pictureForm(image))).toBeGreaterThan(sidePx * sidePx * 4);
  });

  it("includes a picture at full size", async () => {
    const image = await plainPicture().png().toBuffer();
    expect(decodingBytes(pictureForm(image), 3) - decodingBytes(pictureForm(image))).toBe(sidePx * sidePx * 3);
  });

  it("includes the copy of a rotated picture at full size", () => {
    const image = emptyPng({ sidePx: 6000, colourType: 2, bits: 8, isInterlaced: false });
    expect(decodingBytes(pictureForm(image), 3, true) - decodingBytes(pictureForm(image), 3)).toBeGreaterThanOrEqual(
      6000 * 6000 * 3,
    );
  });

  it("cannot be hidden by fill bytes", async () => {
    const jpeg = await plainPicture().jpeg({ progressive: true }).toBuffer();
    const filled = Buffer.concat([jpeg.subarray(0, 2), Buffer.alloc(20_000, 0xff), jpeg.subarray(2)]);
    expect(pictureForm(filled)).toEqual(pictureForm(jpeg));
    expect(await decodeImage(filled)).toMatchObject({ fullWidthPx: sidePx });
  });

  it("cannot be hidden by a long header", async () => {
    const jpeg = await plainPicture().jpeg({ progressive: true }).toBuffer();
    const comments = Buffer.alloc(4 * 10_001, Buffer.from([0xff, 0xfe, 0, 2]));
    const long = Buffer.concat([jpeg.subarray(0, 2), comments, jpeg.subarray(2)]);
    await expect(decodeImage(long)).rejects.toMatchObject({ code: "INVALID_IMAGE" });
  });

  it("is limited: a picture that needs more is rejected by its header with status 413", async () => {
    const image = emptyPng({ sidePx: 9990, colourType: 6, bits: 16, isInterlaced: true });
    expect(decodingBytes(pictureForm(image))).toBeGreaterThan(decodingLimitBytes);
    for (const decode of [decodeImage, decodeSamples])
      await expect(decode(image)).rejects.toMatchObject({ code: "IMAGE_TOO_COSTLY", status: 413 });
  });
});
