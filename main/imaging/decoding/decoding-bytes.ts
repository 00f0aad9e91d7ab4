import { isFrame, jpegSegments, startOfScan } from "./jpeg-segments.ts";

export type PictureForm = {
  readonly widthPx: number;
  readonly heightPx: number;
  /** Samples per pixel; subsampled ones count as fractions. */
  readonly channels: number;
  readonly sampleBytes: number;
  /** Bytes of each sample that the decoder keeps until the picture is complete; 0 if it is decoded row by row. */
  readonly keptBytes: number;
};

/**
 * Memory used before the first pixel and temporarily by decoder, threads and Node. Measured: up to 2 MB more than the
 * pixels in a hundred runs, 6 MB once on a busy machine.
 */
const minBytes = 8 * 1024 * 1024;
const maxChunks = 10_000;
/** Rows buffered between decoder and scaled picture with two threads; measured, with a margin. */
const rowsUnderWay = 2400;
/**
 * Memory of a quarter turn, in units of the output picture: the picture, its copy, and intermediates. Measured:
 * 2.0–2.2 for 6000 x 6000 px, depending on when memory is freed.
 */
const turnedPictures = 2.25;

/**
 * Reads the form of a JPEG or PNG. The decoder keeps an interlaced PNG, and the coefficients of a JPEG with several
 * scans (16 bits each), until they are complete.
 *
 * @returns null for other files and unreadable headers
 * @throws AppError INVALID_IMAGE for a maliciously long header
 */
export function pictureForm(image: Uint8Array): PictureForm | null {
  return isPng(image) ? pngForm(image) : isJpeg(image) ? jpegForm(image) : null;
}

/**
 * Estimates the memory to decode a picture [bytes]. Without a form decoding will fail, so that the minimum suffices.
 *
 * @param outputChannels  bytes of the output picture per source pixel, below 1 if it is scaled down
 * @param isTurned        whether the output is rotated by a quarter turn, which needs a second such picture and more
 */
export function decodingBytes(form: PictureForm | null, outputChannels = 0, isTurned = false): number {
  if (form === null) return minBytes;
  const { widthPx, heightPx, channels, sampleBytes, keptBytes } = form;
  const pixels = widthPx * heightPx;
  const underWay = widthPx * Math.min(heightPx, rowsUnderWay) * Math.ceil(channels) * sampleBytes;
  const outputBytes = pixels * outputChannels * (isTurned ? turnedPictures : 1);
  return minBytes + underWay + pixels * channels * keptBytes + outputBytes;
}

export function isJpeg(bytes: Uint8Array): boolean {
  return bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff;
}

export function isPng(bytes: Uint8Array): boolean {
  return [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a].every((value, index) => bytes[index] === value);
}

const pngChannels: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 3, 4: 2, 6: 4 };

/** A palette is expanded to colours, and a transparent colour to an additional channel. */
function pngForm(image: Uint8Array): PictureForm | null {
  const bytes = Buffer.from(image.buffer, image.byteOffset, image.byteLength);
  if (bytes.length < 33) return null;
  const channels = pngChannels[bytes[25] as number] ?? 4;
  const sampleBytes = bytes[24] === 16 ? 2 : 1;
  const hasTransparency = hasChunkBeforePixels(bytes, "tRNS");
  return {
    widthPx: bytes.readUInt32BE(16),
    heightPx: bytes.readUInt32BE(20),
    channels: channels + (hasTransparency ? 1 : 0),
    sampleBytes,
    keptBytes: bytes[28] === 0 ? 0 : sampleBytes,
  };
}

function hasChunkBeforePixels(bytes: Buffer, wanted: string): boolean {
  let chunks = 0;
  for (let at = 8; at + 8 <= bytes.length; at += 12 + bytes.readUInt32BE(at)) {
    if ((chunks += 1) > maxChunks) return true;
    const name = bytes.toString("latin1", at + 4, at + 8);
    if (name === "IDAT") return false;
    if (name === wanted) return true;
  }
  return false;
}

const progressiveFrames = [0xc2, 0xc6, 0xca, 0xce];

function jpegForm(image: Uint8Array): PictureForm | null {
  let frame: ReturnType<typeof readFrame> = null;
  for (const { code, bytes } of jpegSegments(image)) {
    if (code === startOfScan) return frame && formOf(frame, bytes[4] ?? 0);
    if (isFrame(code)) frame = readFrame(code, bytes) ?? frame;
  }
  return null;
}

/** The decoder keeps coefficients if the first scan does not contain the whole picture. */
function formOf(frame: NonNullable<ReturnType<typeof readFrame>>, scanned: number): PictureForm {
  const isKept = frame.isProgressive || scanned < frame.components;
  return { ...frame, sampleBytes: 1, keptBytes: isKept ? 2 : 0 };
}

function readFrame(code: number, bytes: Uint8Array) {
  const components = bytes[9] ?? 0;
  if (bytes.length < 10 + 3 * components) return null;
  const factors = Array.from({ length: components }, (_, index) => {
    const sampling = bytes[11 + 3 * index] as number;
    return { across: sampling >> 4, down: sampling & 15 };
  });
  const across = Math.max(1, ...factors.map((factor) => factor.across));
  const down = Math.max(1, ...factors.map((factor) => factor.down));
  const [heightPx, widthPx] = [5, 7].map((at) => ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0)) as [number, number];
  return {
    widthPx,
    heightPx,
    channels: factors.reduce((sum, factor) => sum + (factor.across * factor.down) / (across * down), 0),
    components,
    isProgressive: progressiveFrames.includes(code),
  };
}
