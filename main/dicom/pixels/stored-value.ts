import type { DicomElements } from "../elements/dicom-elements.ts";
import type { FrameWords } from "./frame-words.ts";
import type { PictureDescription } from "./picture-description.ts";

/** Bits of a word that contain the value, and its sign. */
export type StoredForm = Pick<PictureDescription, "bitsStored" | "highBit" | "isSigned">;

/**
 * Extracts the stored value: without the bits in which old files keep overlays, shifted to bit 0, with its sign.
 *
 * @param precisionBits  significant bits of the word; in a compressed picture of fewer bits the value starts at bit 0
 */
export function storedValueOf(
  word: number,
  { bitsStored, highBit, isSigned }: StoredForm,
  precisionBits: number,
): number {
  const shift = precisionBits > highBit ? highBit + 1 - bitsStored : 0;
  const value = (word >> shift) & (2 ** bitsStored - 1);
  return isSigned && value >= 2 ** (bitsStored - 1) ? value - 2 ** bitsStored : value;
}

/**
 * Chooses the bits and sign of a frame's words. If words exceed the stated bits, the stated form would wrap white to
 * black; the whole word is used instead if that reduces the differences between neighbours. The same applies if an
 * unsigned codestream is stated as signed. Values that are shifted up, against the stated High Bit, are recognised by
 * their unused lower bits. Upper bits that contain an overlay are always dropped.
 */
export function storedFormOf(
  file: DicomElements,
  picture: PictureDescription,
  { words, precisionBits, isSigned }: FrameWords,
  occurs: Uint32Array,
): StoredForm {
  const { highBit } = picture;
  const bitsStored = Math.min(picture.bitsStored, precisionBits);
  const stated = { bitsStored, highBit, isSigned: picture.isSigned || isSigned === true };
  const whole = { bitsStored: precisionBits, highBit: precisionBits - 1, isSigned: isSigned ?? picture.isSigned };
  // Most films: no bits above the stated ones are set.
  if (occurs.length <= 2 ** (highBit + 1) && isSigned !== false) return stated;
  if (hasEmbeddedOverlay(file)) return stated;
  const shift = commonShift(occurs);
  if (shift > 0 && highBit < bitsStored + shift && occurs.length <= 2 ** (bitsStored + shift))
    return { ...stated, highBit: bitsStored - 1 + shift };
  const [one, other] = [stated, whole].map((form) =>
    Int32Array.from(occurs, (count, word) => (count > 0 ? storedValueOf(word, form, precisionBits) : 0)),
  ) as [Int32Array, Int32Array];
  if (one.every((value, word) => value === other[word])) return stated;
  return jumpsOf(words, other) < jumpsOf(words, one) ? whole : stated;
}

/** Overlay Bit Position in the first group of overlays; the others are in the groups 6002 to 60FE. */
const overlayBit = "60000102";

function hasEmbeddedOverlay(file: DicomElements): boolean {
  return file
    .tags()
    .some((tag) => tag.startsWith("60") && tag.endsWith(overlayBit.slice(4)) && (file.number(tag) ?? 0) > 0);
}

function commonShift(occurs: Uint32Array): number {
  let used = 0;
  for (let word = 0; word < occurs.length; word += 1) if ((occurs[word] as number) > 0) used |= word;
  return used === 0 ? 0 : 31 - Math.clz32(used & -used);
}

function jumpsOf(words: FrameWords["words"], values: Int32Array): number {
  let sum = 0;
  for (let index = 1; index < words.length; index += 1)
    sum += Math.abs((values[words[index] as number] as number) - (values[words[index - 1] as number] as number));
  return sum;
}
