type RleOptions = {
  /** Leaves planes of odd length unpadded. */
  readonly isOdd?: boolean;
  /** Bytes after the last pixel of each plane, and missing pixels of the last plane. */
  readonly extraBytes?: number;
  readonly missingBytes?: number;
  readonly isLowFirst?: boolean;
};

/** Compresses words of 16 bits, little endian, by RLE. @see DICOM PS3.5 G */
export function rlePicture(words: Buffer, options: RleOptions = {}): Buffer {
  const { isOdd = false, extraBytes = 0, missingBytes = 0, isLowFirst = false } = options;
  const lengths = [words.length / 2, words.length / 2 - missingBytes] as const;
  const planes = ([1, 0] as const).map((half) =>
    Buffer.from(words.filter((_, index) => index % 2 === half)).subarray(0, lengths[1 - half]),
  );
  const segments = (isLowFirst ? planes.toReversed() : planes)
    .map((plane) => packed(Buffer.concat([plane, Buffer.alloc(extraBytes)])))
    .map((runs) => (isOdd || runs.length % 2 === 0 ? runs : Buffer.concat([runs, Buffer.alloc(1)])));
  const header = Buffer.alloc(64);
  header.writeUInt32LE(segments.length);
  let at = header.length;
  for (const [index, segment] of segments.entries()) {
    header.writeUInt32LE(at, 4 + 4 * index);
    at += segment.length;
  }
  return Buffer.concat([header, ...segments]);
}

function packed(plane: Buffer): Buffer {
  const runs: Buffer[] = [];
  for (let at = 0; at < plane.length;) {
    let end = at + 1;
    while (end < plane.length && end - at < 128 && plane[end] === plane[at]) end += 1;
    const isRepeated = end - at > 1;
    while (!isRepeated && end < plane.length && end - at < 128 && plane[end] !== plane[end - 1]) end += 1;
    runs.push(
      isRepeated
        ? Buffer.from([257 - (end - at), plane[at] as number])
        : Buffer.concat([Buffer.from([end - at - 1]), plane.subarray(at, end)]),
    );
    at = end;
  }
  return Buffer.concat(runs);
}
