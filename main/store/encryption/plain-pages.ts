import { closeSync, fstatSync, openSync, readSync } from "node:fs";

/** SQLite's default, which every store uses, encrypted or not. */
const pageBytes = 4096;
/** The first pages hold the schema and the roots of the tables. */
const readPages = 1024;
const fileHeaderBytes = 100;
/**
 * Header length [bytes] by type of b-tree page; interior pages have a longer one.
 * @see https://www.sqlite.org/fileformat2.html#b_tree_pages
 */
const treeKinds: ReadonlyMap<number, number> = new Map([
  [2, 12],
  [5, 12],
  [10, 8],
  [13, 8],
]);
const maxFragmentBytes = 60;

/**
 * Whether a file without an SQLite header may be an encrypted database: its size is a multiple of the page size, and
 * none of its first 1024 pages is a b-tree page, which random bytes resemble less than once in 10⁹ pages.
 */
export function mayBeEncrypted(file: string): boolean {
  const handle = openSync(file, "r");
  try {
    const { size } = fstatSync(handle);
    if (size === 0 || size % pageBytes !== 0) return false;
    const pages = Buffer.alloc(Math.min(size, readPages * pageBytes));
    readSync(handle, pages, 0, pages.length, 0);
    for (let start = 0; start < pages.length; start += pageBytes)
      if (isTreePage(pages.subarray(start, start + pageBytes), start === 0 ? fileHeaderBytes : 0)) return false;
    return true;
  } finally {
    closeSync(handle);
  }
}

function isTreePage(page: Buffer, header: number): boolean {
  const headerBytes = treeKinds.get(page.readUInt8(header));
  if (headerBytes === undefined) return false;
  const [freeBlock, cells, content] = [1, 3, 5].map((at) => page.readUInt16BE(header + at)) as [number, number, number];
  const pointers = header + headerBytes;
  const fits = pointers + 2 * cells <= content && content <= page.length && freeBlock < page.length;
  if (!fits || page.readUInt8(header + 7) > maxFragmentBytes) return false;
  return Array.from({ length: cells }, (_, index) => page.readUInt16BE(pointers + 2 * index)).every(
    (cell) => cell >= content && cell < page.length,
  );
}
