import sharp from "sharp";
import { dataSet, partTen, text, us, bytes as valueOf, encapsulated, type Written } from "../dicom-writer.ts";

export type Phantom = {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly bitsStored: number;
  readonly isSigned: boolean;
  readonly values: Int32Array;
};

const explicitLittleEndian = "1.2.840.10008.1.2.1";

/** A phantom radiograph of the fixtures with noise in its lower bits, so that all bits of the depth are used. */
export async function phantomFilm(
  bitsStored: number,
  isSigned = false,
  size = { widthPx: 117, heightPx: 131 },
  name = "dog-01",
): Promise<Phantom> {
  const { widthPx, heightPx } = size;
  const { data } = await sharp(`test/fixtures/films/${name}.jpg`)
    .resize(widthPx, heightPx, { fit: "fill" })
    .toColourspace("b-w")
    .raw()
    .toBuffer({ resolveWithObject: true });
  const top = 2 ** bitsStored - 1;
  const lowest = isSigned ? -(2 ** (bitsStored - 1)) : 0;
  const noise = seededNoise(7);
  const values = Int32Array.from(data, (grey, index) => {
    if (index < 2) return lowest + index * top;
    return lowest + Math.min(top, Math.max(0, Math.round((grey / 255) * top * 0.9 + top * 0.05 * noise())));
  });
  return { widthPx, heightPx, bitsStored, isSigned, values };
}

function seededNoise(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

/** Values as words of the file: two's complement within the stored bits, little endian. */
export function wordsOf({ values, bitsStored }: Phantom): Buffer {
  const mask = 2 ** bitsStored - 1;
  const stored = values.map((value) => value & mask);
  return bitsStored > 8 ? Buffer.from(new Uint16Array(stored).buffer) : Buffer.from(stored);
}

export function pictureElements(phantom: Phantom, extra: readonly Written[] = []): Written[] {
  const { widthPx, heightPx, bitsStored, isSigned } = phantom;
  const elements = [
    text("00080016", "UI", "1.2.840.10008.5.1.4.1.1.7"),
    text("00080018", "UI", "1.2.826.0.1.3680043.2.1125.7"),
    text("00080060", "CS", "DX"),
    text("0020000D", "UI", "1.2.826.0.1.3680043.2.1125.8"),
    text("0020000E", "UI", "1.2.826.0.1.3680043.2.1125.9"),
    us("00280002", 1),
    text("00280004", "CS", "MONOCHROME2"),
    us("00280010", heightPx),
    us("00280011", widthPx),
    us("00280100", bitsStored > 8 ? 16 : 8),
    us("00280101", bitsStored),
    us("00280102", bitsStored - 1),
    us("00280103", isSigned ? 1 : 0),
  ];
  const replaced = new Set(extra.map(({ tag }) => tag));
  return [...elements.filter(({ tag }) => !replaced.has(tag)), ...extra].sort((one, other) =>
    one.tag < other.tag ? -1 : 1,
  );
}

export function nativeFile(
  phantom: Phantom,
  extra: readonly Written[] = [],
  pixels: Buffer = wordsOf(phantom),
): Buffer {
  const padded = pixels.length % 2 === 0 ? pixels : Buffer.concat([pixels, Buffer.alloc(1)]);
  return partTen(
    explicitLittleEndian,
    dataSet(...pictureElements(phantom, extra), valueOf("7FE00010", phantom.bitsStored > 8 ? "OW" : "OB", padded)),
  );
}

export function encapsulatedFile(
  phantom: Phantom,
  transferSyntaxUid: string,
  offsets: readonly number[],
  fragments: readonly Buffer[],
  extra: readonly Written[] = [],
): Buffer {
  const even = fragments.map((fragment) =>
    fragment.length % 2 === 0 ? fragment : Buffer.concat([fragment, Buffer.alloc(1)]),
  );
  return partTen(
    transferSyntaxUid,
    Buffer.concat([dataSet(...pictureElements(phantom, extra)), encapsulated(offsets, even)]),
  );
}

export function greymapOf({ values, widthPx, heightPx, bitsStored }: Phantom): Buffer {
  const samples = Buffer.from(bitsStored > 8 ? Uint16Array.from(values).buffer : Uint8Array.from(values).buffer);
  return Buffer.concat([
    Buffer.from(`P5\n${widthPx} ${heightPx}\n${2 ** bitsStored - 1}\n`),
    bitsStored > 8 ? samples.swap16() : samples,
  ]);
}

/** Largest difference between two pictures; Infinity if their sizes differ. */
export function largestDifference(one: readonly number[], other: readonly number[]): number {
  return one.length === other.length
    ? one.reduce((most, value, index) => Math.max(most, Math.abs(value - (other[index] as number))), 0)
    : Number.POSITIVE_INFINITY;
}
