import { crc32 } from "node:zlib";
import sharp from "sharp";

/** Pads a PNG to an exact number of bytes with an ancillary chunk; returns Base64. */
export async function paddedPng(image: string, bytes: number): Promise<string> {
  const png = await sharp(Buffer.from(image, "base64")).resize(300).png().toBuffer();
  const end = png.length - 12;
  const data = Buffer.alloc(bytes - png.length - 12);
  const head = Buffer.alloc(8);
  head.writeUInt32BE(data.length);
  head.write("fiLl", 4, "latin1");
  const crc = Buffer.alloc(4);
  crc.writeUInt32BE(crc32(Buffer.concat([head.subarray(4), data])));
  return Buffer.concat([png.subarray(0, end), head, data, crc, png.subarray(end)]).toString("base64");
}
