import { inflateSync } from "node:zlib";

const woffHeaderBytes = 44;
const woffEntryBytes = 20;
const headerBytes = 12;
const entryBytes = 16;

/** Unpacks WOFF; read directly, each glyph would decompress the whole file. @see https://www.w3.org/TR/WOFF */
export function unpackedFont(woff: Buffer): Buffer {
  const count = woff.readUInt16BE(12);
  const head = Buffer.alloc(headerBytes + count * entryBytes);
  woff.copy(head, 0, 4, 8);
  head.writeUInt16BE(count, 4);
  const tables = [head];
  let offset = head.length;
  for (let index = 0; index < count; index += 1) {
    const entry = woffHeaderBytes + index * woffEntryBytes;
    const [at, packedBytes, bytes] = [
      woff.readUInt32BE(entry + 4),
      woff.readUInt32BE(entry + 8),
      woff.readUInt32BE(entry + 12),
    ];
    const packed = woff.subarray(at, at + packedBytes);
    const table = Buffer.alloc(Math.ceil(bytes / 4) * 4);
    (packedBytes < bytes ? inflateSync(packed) : packed).copy(table);
    const to = headerBytes + index * entryBytes;
    woff.copy(head, to, entry, entry + 4);
    woff.copy(head, to + 4, entry + 16, entry + 20);
    head.writeUInt32BE(offset, to + 8);
    head.writeUInt32BE(bytes, to + 12);
    tables.push(table);
    offset += table.length;
  }
  return Buffer.concat(tables);
}
