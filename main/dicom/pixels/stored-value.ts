import type { PictureDescription } from "./picture-description.ts";

/**
 * The stored value in a word: without the bits that old files keep overlays in, moved down to bit 0, with its sign.
 *
 * @param precisionBits  bits that the word has; a compressed picture of fewer bits holds the value at the bottom
 * already
 */
export function storedValueOf(
  word: number,
  { bitsStored, highBit, isSigned }: PictureDescription,
  precisionBits: number,
): number {
  const shift = precisionBits > highBit ? highBit + 1 - bitsStored : 0;
  const value = (word >> shift) & (2 ** bitsStored - 1);
  return isSigned && value >= 2 ** (bitsStored - 1) ? value - 2 ** bitsStored : value;
}
