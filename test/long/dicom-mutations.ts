import dicomParser from "dicom-parser";
import { seededRandom } from "../fixtures/seeded-random.ts";

const tellingNumbers = [
  0, 1, 2, 3, 7, 8, 9, 15, 16, 17, 0x7f, 0x80, 0xff, 0x100, 0x7fff, 0x8000, 0xfffe, 0xffff, 0x10000, 0x7fffffff,
  0x80000000, 0xfffffffe, 0xffffffff,
] as const;

type Place = { readonly headerAt: number; readonly valueAt: number; readonly length: number };

/**
 * Creates a generator of damaged films, which returns the same ones for the same seed. Each is a sound film with one to
 * three mutations: flipped bits, boundary values in lengths, headers or anywhere, swapped tags, parts that are removed,
 * repeated, truncated or taken from another film.
 */
export function createMutator(seed: number, films: readonly Uint8Array[]): () => Uint8Array {
  const random = seededRandom(seed);
  const below = (limit: number) => Math.floor(random() * limit);
  const pick = <T>(values: readonly T[]): T => values[below(values.length)] as T;
  const sources = films.map((film) => ({ film, places: placesOf(film) }));

  const flipBits = (bytes: Buffer) => {
    for (let flips = pick([1, 1, 2, 4]); flips > 0; flips -= 1) {
      const at = below(bytes.length);
      bytes[at] = (bytes[at] ?? 0) ^ (1 << below(8));
    }
    return bytes;
  };
  const putNumber = (bytes: Buffer, at: number) => {
    const number = pick(tellingNumbers);
    const size = pick([1, 2, 2, 4]);
    if (at >= 0 && at + size <= bytes.length) bytes.writeUIntLE(number % 2 ** (8 * size), at, size);
    return bytes;
  };
  const swapTags = (bytes: Buffer, places: readonly Place[]) => {
    const [one, other] = [pick(places)?.headerAt, pick(places)?.headerAt];
    if (one === undefined || other === undefined || Math.max(one, other) + 4 > bytes.length) return bytes;
    const tag = Buffer.from(bytes.subarray(one, one + 4));
    bytes.copy(bytes, one, other, other + 4);
    tag.copy(bytes, other);
    return bytes;
  };
  const splice = (bytes: Buffer) => {
    const other = pick(sources).film;
    const from = below(other.length);
    const at = below(bytes.length);
    return Buffer.concat([
      bytes.subarray(0, at),
      other.subarray(from, from + below(300)),
      bytes.subarray(at + below(300)),
    ]);
  };
  const damage = (bytes: Buffer, places: readonly Place[]): Buffer => {
    const place = pick(places);
    const kind = random();
    if (bytes.length === 0 || kind < 0.25) return flipBits(bytes);
    if (kind < 0.4) return putNumber(bytes, below(bytes.length));
    // The length of an element directly precedes its value. Values contain sizes, and pixel data a codec's headers.
    if (kind < 0.55) return place ? putNumber(bytes, place.valueAt - pick([2, 4])) : bytes;
    if (kind < 0.7) return place ? putNumber(bytes, place.valueAt + below(Math.min(place.length, 64))) : bytes;
    if (kind < 0.78) return swapTags(bytes, places);
    if (kind < 0.86) return splice(bytes);
    if (kind < 0.93) return bytes.subarray(0, below(bytes.length));
    const at = below(bytes.length);
    return Buffer.concat([bytes.subarray(0, at), bytes.subarray(Math.max(0, at - below(200)))]);
  };
  return () => {
    const { film, places } = pick(sources);
    let bytes: Buffer = Buffer.from(film);
    for (let damages = pick([1, 1, 1, 2, 3]); damages > 0; damages -= 1) bytes = damage(bytes, places);
    return bytes;
  };
}

function placesOf(film: Uint8Array): Place[] {
  const { elements } = dicomParser.parseDicom(film);
  const flat = (all: typeof elements): Place[] =>
    Object.values(all).flatMap(({ dataOffset, length, tag, items, fragments }) => [
      { headerAt: Math.max(0, headerAt(film, tag, dataOffset)), valueAt: dataOffset, length },
      ...(items ?? []).flatMap((item) => (item.dataSet ? flat(item.dataSet.elements) : [])),
      ...(fragments ?? []).map((fragment) => ({
        headerAt: fragment.position - 8,
        valueAt: fragment.position,
        length: fragment.length,
      })),
    ]);
  return flat(elements).filter(({ valueAt }) => valueAt < film.length);
}

/** Position of an element's tag, 8 or 12 bytes before its value. */
function headerAt(film: Uint8Array, tag: string, dataOffset: number): number {
  const group = Number.parseInt(tag.slice(1, 5), 16);
  const at = [dataOffset - 12, dataOffset - 8].find(
    (place) => (film[place] ?? -1) + 256 * (film[place + 1] ?? 0) === group,
  );
  return at ?? dataOffset - 8;
}
