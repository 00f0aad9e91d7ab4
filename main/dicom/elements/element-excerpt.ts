import type { DicomElements, ElementValues } from "./dicom-elements.ts";

/** Plain data of the short elements in a file's standard groups up to 0040, and of its grey-level tables, by tag. */
export type ElementExcerpt = {
  readonly [tag: string]: {
    readonly texts: readonly string[];
    readonly numbers: readonly number[];
    readonly items: readonly ElementExcerpt[];
  };
};

/** Far above the patient, study and request data of films. Elements beyond the limits are omitted. */
const limits = { group: 0x0040, valueBytes: 16_384, elements: 5000, bytes: 8 * 1024 * 1024, depth: 4 } as const;
/** LUT Data has an entry for each 16-bit value; Presentation LUT Shape is in a higher group. */
const grey = { table: "00283006", tableBytes: 2 * 65_536, shape: "20500020" } as const;

export function excerptOf(file: DicomElements): ElementExcerpt {
  let [elements, bytes] = [0, 0];
  const excerpt = (from: DicomElements, depth: number): ElementExcerpt => {
    const taken: [string, ElementExcerpt[string]][] = [];
    for (const tag of from.tags()) {
      if (elements >= limits.elements || bytes >= limits.bytes) break;
      if (!isTaken(from, tag)) continue;
      elements += 1;
      const items = depth < limits.depth ? from.items(tag).map((item) => excerpt(item, depth + 1)) : [];
      if (items.length === 0) bytes += from.bytes(tag)?.length ?? 0;
      taken.push([
        tag,
        { texts: items.length > 0 ? [] : from.texts(tag), numbers: items.length > 0 ? [] : from.numbers(tag), items },
      ]);
    }
    return Object.fromEntries(taken);
  };
  return excerpt(file, 0);
}

function isTaken(from: DicomElements, tag: string): boolean {
  const group = Number.parseInt(tag.slice(0, 4), 16);
  if (group % 2 === 1 || (group > limits.group && tag !== grey.shape)) return false;
  const maxBytes = tag === grey.table ? grey.tableBytes : limits.valueBytes;
  return from.items(tag).length > 0 || (from.bytes(tag)?.length ?? 0) <= maxBytes;
}

export function valuesOf(excerpt: ElementExcerpt): ElementValues {
  const find = (tag: string) => excerpt[tag.toUpperCase()];
  return {
    texts: (tag) => find(tag)?.texts ?? [],
    numbers: (tag) => find(tag)?.numbers ?? [],
    text: (tag) => find(tag)?.texts[0] || null,
    number: (tag) => find(tag)?.numbers[0] ?? null,
    items: (tag) => (find(tag)?.items ?? []).map(valuesOf),
    has: (tag) => find(tag) !== undefined,
  };
}
