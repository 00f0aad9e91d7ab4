const exifDirectory = 0x8769;
const exposureTags: ReadonlySet<number> = new Set([0x829a, 0x829d]);
const entryBytes = 12;
const headerText = "Exif\0\0";

/**
 * Whether EXIF data, with or without their header, contain exposure time or aperture. Only cameras write them;
 * radiograph software and scanners do not. @see CIPA DC-008 4.6.5
 */
export function hasExposureData(exif: Uint8Array | undefined): boolean {
  if (!exif) return false;
  const hasHeading = Buffer.from(exif.subarray(0, headerText.length)).toString("latin1") === headerText;
  const bytes = hasHeading ? exif.subarray(headerText.length) : exif;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 8) return false;
  const isLittle = view.getUint16(0) === 0x4949;
  const main = entriesOf(view, view.getUint32(4, isLittle), isLittle);
  const place = main.find(({ tag }) => tag === exifDirectory);
  return place !== undefined && entriesOf(view, place.value, isLittle).some(({ tag }) => exposureTags.has(tag));
}

function entriesOf(view: DataView, at: number, isLittle: boolean): { readonly tag: number; readonly value: number }[] {
  if (at + 2 > view.byteLength) return [];
  const count = Math.min(view.getUint16(at, isLittle), Math.floor((view.byteLength - at - 2) / entryBytes));
  return Array.from({ length: count }, (_, index) => {
    const entry = at + 2 + entryBytes * index;
    return { tag: view.getUint16(entry, isLittle), value: view.getUint32(entry + 8, isLittle) };
  });
}
