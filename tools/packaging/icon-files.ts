export type IconPicture = { readonly sizePx: number; readonly png: Buffer };

const entryBytes = 16;
const headBytes = 6;

/** Windows icon file: a directory of PNG pictures of at most 256 px. */
export function icoOf(pictures: readonly IconPicture[]): Buffer {
  const head = Buffer.alloc(headBytes);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(pictures.length, 4);
  let offset = headBytes + entryBytes * pictures.length;
  const entries = pictures.map(({ sizePx, png }) => {
    const entry = Buffer.alloc(entryBytes);
    // 256 px are written as 0.
    entry.writeUInt8(sizePx % 256, 0);
    entry.writeUInt8(sizePx % 256, 1);
    entry.writeUInt16LE(1, 4);
    entry.writeUInt16LE(32, 6);
    entry.writeUInt32LE(png.length, 8);
    entry.writeUInt32LE(offset, 12);
    offset += png.length;
    return entry;
  });
  return Buffer.concat([head, ...entries, ...pictures.map(({ png }) => png)]);
}

/** Apple's types of the sizes that can be PNG. A second type is for half the size at double density. */
const icnsTypes: Readonly<Record<number, readonly string[]>> = {
  16: ["icp4"],
  32: ["icp5", "ic11"],
  64: ["ic12"],
  128: ["ic07"],
  256: ["ic08", "ic13"],
  512: ["ic09", "ic14"],
  1024: ["ic10"],
};

/** macOS icon file: a sequence of PNG pictures, each preceded by its type and length. */
export function icnsOf(pictures: readonly IconPicture[]): Buffer {
  const chunks = pictures.flatMap(({ sizePx, png }) =>
    (icnsTypes[sizePx] ?? []).map((type) => Buffer.concat([Buffer.from(type), bigEndian(png.length + 8), png])),
  );
  const content = Buffer.concat(chunks);
  return Buffer.concat([Buffer.from("icns"), bigEndian(content.length + 8), content]);
}

function bigEndian(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
