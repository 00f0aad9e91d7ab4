/** A picture's size and sample layout, from its header. */
type Form = {
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
/** Maximum number of pieces in a header; a longer one is malicious. */
const maxPieces = 10_000;
/** Rows buffered between decoder and scaled picture with two threads; measured, with a margin. */
const rowsUnderWay = 2400;
/**
 * Memory of a quarter turn, in units of the output picture: the picture, its copy, and intermediates. Measured:
 * 2.0–2.2 for 6000 x 6000 px, depending on when memory is freed.
 */
const turnedPictures = 2.25;

/**
 * Estimates the memory to decode a JPEG or PNG [bytes] from its header. The decoder keeps an interlaced PNG, and the
 * coefficients of a JPEG with several scans (16 bits each), until they are complete. Other files and unreadable headers
 * get the minimum, since decoding will fail. Infinity for a maliciously long header.
 *
 * @param outputChannels  bytes of the output picture per source pixel, below 1 if it is scaled down
 * @param isTurned        whether the output is rotated by a quarter turn, which needs a second such picture and more
 */
export function decodingBytes(image: Uint8Array, outputChannels = 0, isTurned = false): number {
  const bytes = Buffer.from(image.buffer, image.byteOffset, image.byteLength);
  const form = isPng(bytes) ? pngForm(bytes) : isJpeg(bytes) ? jpegForm(bytes) : null;
  if (form === null) return minBytes;
  if (form === "endless") return Infinity;
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
function pngForm(bytes: Buffer): Form | null {
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
  let pieces = 0;
  for (let at = 8; at + 8 <= bytes.length; at += 12 + bytes.readUInt32BE(at)) {
    if ((pieces += 1) > maxPieces) return true;
    const name = bytes.toString("latin1", at + 4, at + 8);
    if (name === "IDAT") return false;
    if (name === wanted) return true;
  }
  return false;
}

const startOfScan = 0xda;
const progressiveFrames = [0xc2, 0xc6, 0xca, 0xce];

/** Reads the segments up to the first scan. */
function jpegForm(bytes: Buffer): Form | "endless" | null {
  let frame: (Pick<Form, "widthPx" | "heightPx" | "channels"> & { components: number; isProgressive: boolean }) | null =
    null;
  let at = 2;
  for (let pieces = 0; at + 4 <= bytes.length; pieces += 1) {
    if (pieces > maxPieces) return "endless";
    const marker = bytes[at + 1] as number;
    // Skip fill bytes and bytes between two segments, as the decoder does.
    if (bytes[at] !== 0xff || marker === 0xff || marker === 0) at += 1;
    else if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)) at += 2;
    else if (marker === startOfScan) return frame && formOf(frame, bytes[at + 4] ?? 0);
    else {
      if (isFrame(marker)) frame = readFrame(bytes, at) ?? frame;
      at += 2 + bytes.readUInt16BE(at + 2);
    }
  }
  return null;
}

/** The decoder keeps coefficients if the first scan does not contain the whole picture. */
function formOf(frame: NonNullable<ReturnType<typeof readFrame>>, scanned: number): Form {
  const isKept = frame.isProgressive || scanned < frame.components;
  return { ...frame, sampleBytes: 1, keptBytes: isKept ? 2 : 0 };
}

/** Whether a marker begins a frame; 0xC4, 0xC8 and 0xCC are in the range but do not. */
export function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
}

function readFrame(bytes: Buffer, at: number) {
  const components = bytes[at + 9] ?? 0;
  if (at + 10 + 3 * components > bytes.length) return null;
  const factors = Array.from({ length: components }, (_, index) => {
    const sampling = bytes[at + 11 + 3 * index] as number;
    return { across: sampling >> 4, down: sampling & 15 };
  });
  const across = Math.max(1, ...factors.map((factor) => factor.across));
  const down = Math.max(1, ...factors.map((factor) => factor.down));
  return {
    widthPx: bytes.readUInt16BE(at + 7),
    heightPx: bytes.readUInt16BE(at + 5),
    channels: factors.reduce((sum, factor) => sum + (factor.across * factor.down) / (across * down), 0),
    components,
    isProgressive: progressiveFrames.includes(bytes[at + 1] as number),
  };
}
