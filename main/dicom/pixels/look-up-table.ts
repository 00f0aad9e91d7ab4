import { AppError, because } from "../../../core/app-error.ts";
import type { DicomElements } from "../elements/dicom-elements.ts";

/** A table of the standard's kind: values below the first entry take the first, values above the last the last. */
export type LookUpTable = { readonly first: number; readonly entries: Uint16Array; readonly bits: number };

/**
 * Reads a table from its descriptor (entries, first value, bits) and its data.
 *
 * @returns null when the descriptor is missing
 * @throws AppError INVALID_DICOM
 * @see DICOM PS3.3 C.11.1.1.1
 */
export function lookUpTable(
  elements: DicomElements,
  descriptorTag: string,
  dataTag: string,
  isBigEndian: boolean,
): LookUpTable | null {
  const [count, first, bits] = elements.numbers(descriptorTag);
  const data = elements.bytes(dataTag);
  if (count === undefined || first === undefined || bits === undefined) return null;
  const length = count & 0xffff || 65_536;
  if (data === null || data.length < length || bits < 8 || bits > 16)
    throw new AppError(
      "INVALID_DICOM",
      because("dicomTableIncomplete", { tag: `(${descriptorTag.slice(0, 4)},${descriptorTag.slice(4)})` }),
    );
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const isWide = data.length >= 2 * length;
  return {
    first,
    bits,
    entries: Uint16Array.from({ length }, (_, index) =>
      isWide ? view.getUint16(2 * index, !isBigEndian) : view.getUint8(index),
    ),
  };
}

/** @returns the table's entry for a value */
export function lookUp({ first, entries }: LookUpTable, value: number): number {
  const index = Math.min(entries.length - 1, Math.max(0, Math.round(value) - first));
  return entries[index] as number;
}
