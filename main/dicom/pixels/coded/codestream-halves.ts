import { HeaderBits, HeaderWriter, TagTree } from "./packet-headers.ts";

/**
 * A codestream of which some code-blocks have been emptied, and the rows of the picture that it still gives exactly:
 * from `top` to `bottom`.
 */
export type CodestreamHalf = { readonly bytes: Uint8Array; readonly top: number; readonly bottom: number };

/** Parameters that locate the packets of a codestream of one tile, one component and one precinct per resolution. */
type Layout = {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly levels: number;
  readonly layers: number;
  /** LRCP; otherwise all layers of a resolution follow each other. */
  readonly isLayerFirst: boolean;
  /** Exponents of a code-block's sides. */
  readonly blockWidth: number;
  readonly blockHeight: number;
  /** Of the only tile part: its SOT, and the marker that ends the codestream. */
  readonly tileAt: number;
  readonly endAt: number;
};

/** State of a code-block from one layer to the next. */
type Block = {
  readonly column: number;
  readonly row: number;
  readonly isIn: readonly [boolean, boolean];
  isIncluded: boolean;
  lengthBits: number;
  passes: number;
};
type Band = { readonly inclusion: TagTree; readonly zeroPlanes: TagTree; readonly blocks: readonly Block[] };

/** Wavelets reach at most four rows beyond their own at each level, so less than eight over all levels. */
const reachRows = 8;
/**
 * More passes in one piece than this, more bit planes, or a larger picture are nothing that an encoder of films writes.
 */
const limits = { passes: 109, planes: 64, sidePx: 32_768, layers: 64, blocks: 200_000 } as const;

const markers = {
  start: 0xff4f,
  size: 0xff51,
  style: 0xff52,
  quantization: 0xff5c,
  comment: 0xff64,
  tile: 0xff90,
  data: 0xff93,
  end: 0xffd9,
} as const;

/**
 * Splits a JPEG 2000 picture for two parallel decoders. Each half is a complete codestream of the same picture;
 * code-blocks that its rows do not need are emptied in the packet headers and take almost no decoding time.
 *
 * @returns null for an unusual or damaged codestream, which one decoder takes as a whole
 * @see ISO/IEC 15444-1 B.9, B.10
 */
export function codestreamHalves(bytes: Uint8Array): readonly [CodestreamHalf, CodestreamHalf] | null {
  const layout = layoutOf(bytes);
  if (layout === null) return null;
  try {
    const middle = Math.ceil(layout.heightPx / 2);
    const [upper, lower] = splitPackets(bytes, layout, middle);
    return [
      { bytes: upper, top: 0, bottom: middle },
      { bytes: lower, top: middle, bottom: layout.heightPx },
    ];
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function layoutOf(bytes: Uint8Array): Layout | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const segments = new Map<number, number>();
  let at = 2;
  for (; at + 14 <= bytes.length && view.getUint16(at) !== markers.tile; at += 2 + view.getUint16(at + 2))
    segments.set(view.getUint16(at), at + 4);
  const { start, size: sizeMarker, style: styleMarker, quantization, comment, tile, data, end } = markers;
  const [size, style] = [segments.get(sizeMarker), segments.get(styleMarker)];
  const isPlain = [...segments.keys()].every(
    (marker) => marker === sizeMarker || marker === styleMarker || marker === quantization || marker === comment,
  );
  if (
    !isPlain ||
    size === undefined ||
    style === undefined ||
    at + 14 > bytes.length ||
    Math.max(size + 38, style + 10) > at
  )
    return null;
  if (view.getUint16(0) !== start || view.getUint16(at) !== tile || view.getUint16(at + 12) !== data) return null;
  const [widthPx, heightPx, tileWidthPx, tileHeightPx] = [2, 6, 18, 22].map((offset) =>
    view.getUint32(size + offset),
  ) as [number, number, number, number];
  const hasNoOffset = [10, 14, 26, 30].every((offset) => view.getUint32(size + offset) === 0);
  const isOneTile =
    tileWidthPx >= widthPx &&
    tileHeightPx >= heightPx &&
    view.getUint16(at + 4) === 0 &&
    view.getUint8(at + 10) === 0 &&
    view.getUint8(at + 11) <= 1;
  const isOneComponent = view.getUint16(size + 34) === 1 && view.getUint16(size + 37) === 0x0101;
  const tileBytes = view.getUint32(at + 6);
  const endAt = tileBytes === 0 ? bytes.lastIndexOf(end & 0xff) - 1 : at + tileBytes;
  if (
    !hasNoOffset ||
    !isOneTile ||
    !isOneComponent ||
    endAt < at + 14 ||
    endAt + 2 > bytes.length ||
    view.getUint16(endAt) !== end
  )
    return null;
  const [scheme, order, levels, blockStyle] = [0, 1, 5, 8].map((offset) => view.getUint8(style + offset)) as [
    number,
    number,
    number,
    number,
  ];
  const layout = {
    widthPx,
    heightPx,
    levels,
    layers: view.getUint16(style + 2),
    isLayerFirst: order === 0,
    blockWidth: view.getUint8(style + 6) + 2,
    blockHeight: view.getUint8(style + 7) + 2,
    tileAt: at,
    endAt,
  };
  // No explicit precincts, no markers around packets, no split code-blocks.
  const isUsual =
    scheme === 0 &&
    blockStyle === 0 &&
    order <= 4 &&
    levels >= 1 &&
    levels <= 10 &&
    layout.layers >= 1 &&
    layout.layers <= limits.layers;
  const hasUsualBlocks =
    layout.blockWidth + layout.blockHeight <= 12 &&
    (widthPx * heightPx) / 2 ** (layout.blockWidth + layout.blockHeight) < limits.blocks;
  return isUsual && hasUsualBlocks && Math.max(widthPx, heightPx) <= limits.sidePx ? layout : null;
}

function splitPackets(bytes: Uint8Array, layout: Layout, middle: number): [Uint8Array, Uint8Array] {
  const { layers, isLayerFirst, tileAt, endAt } = layout;
  const resolutions = Array.from({ length: layout.levels + 1 }, (_, resolution) => bandsOf(layout, resolution, middle));
  const order = isLayerFirst
    ? Array.from({ length: layers }, (_, layer) => resolutions.map((bands) => [bands, layer] as const)).flat()
    : resolutions.flatMap((bands) => Array.from({ length: layers }, (_, layer) => [bands, layer] as const));
  const halves: [Uint8Array[], Uint8Array[]] = [[], []];
  let at = tileAt + 14;
  for (const [bands, layer] of order) at = splitPacket(bytes.subarray(0, endAt), at, bands, layer, halves);
  if (at !== endAt) throw new RangeError("the packets do not fill their tile");
  const [upper, lower] = halves.map((parts) => assembled(bytes, layout, parts));
  return [upper as Uint8Array, lower as Uint8Array];
}

/** The subbands of a resolution, with the halves that their code-blocks belong to. @see ISO/IEC 15444-1 B.5 */
function bandsOf(
  { widthPx, heightPx, levels, blockWidth, blockHeight }: Layout,
  resolution: number,
  middle: number,
): Band[] {
  const level = resolution === 0 ? levels : levels - resolution + 1;
  const origins =
    resolution === 0
      ? [[0, 0]]
      : [
          [1, 0],
          [0, 1],
          [1, 1],
        ];
  const scale = 2 ** level;
  const [upperEnds, lowerBegins] = [Math.ceil(middle / scale) + reachRows, Math.floor(middle / scale) - reachRows];
  return origins.flatMap(([x = 0, y = 0]) => {
    const columns = Math.ceil(Math.ceil((widthPx - (scale / 2) * x) / scale) / 2 ** blockWidth);
    const rows = Math.ceil(Math.ceil((heightPx - (scale / 2) * y) / scale) / 2 ** blockHeight);
    if (columns * rows <= 0) return [];
    const blocks = Array.from({ length: columns * rows }, (_, index): Block => {
      const row = Math.floor(index / columns);
      const [begins, ends] = [row * 2 ** blockHeight, (row + 1) * 2 ** blockHeight];
      return {
        column: index % columns,
        row,
        isIn: [begins < upperEnds, ends > lowerBegins],
        isIncluded: false,
        lengthBits: 3,
        passes: 0,
      };
    });
    return [{ inclusion: new TagTree(columns, rows), zeroPlanes: new TagTree(columns, rows), blocks }];
  });
}

/** @returns where the packet ends */
function splitPacket(
  bytes: Uint8Array,
  at: number,
  bands: readonly Band[],
  layer: number,
  halves: readonly [Uint8Array[], Uint8Array[]],
): number {
  const header = new HeaderBits(bytes, at);
  const writers = [new HeaderWriter(), new HeaderWriter()] as const;
  const shared = () => {
    const bit = header.bit();
    for (const writer of writers) writer.put(bit);
    return bit;
  };
  const contributions: { readonly block: Block; readonly length: number }[] = [];
  if (shared() === 1) {
    for (const { inclusion, zeroPlanes, blocks } of bands) {
      for (const block of blocks) {
        const { column, row } = block;
        const contributes = block.isIncluded ? shared() === 1 : inclusion.isBelow(column, row, layer + 1, shared);
        if (!contributes) continue;
        if (!block.isIncluded) readZeroPlanes(zeroPlanes, block, shared);
        block.isIncluded = true;
        contributions.push({ block, length: splitContribution(block, header, writers) });
      }
    }
  }
  let bodyAt = header.end();
  writers.forEach((writer, half) => halves[half]?.push(writer.finish()));
  for (const { block, length } of contributions) {
    if (bodyAt + length > bytes.length) throw new RangeError("a packet is cut off");
    const body = bytes.subarray(bodyAt, (bodyAt += length));
    halves.forEach((parts, half) => block.isIn[half] && parts.push(body));
  }
  return bodyAt;
}

function readZeroPlanes(tree: TagTree, { column, row }: Block, bit: () => number): void {
  for (let planes = 1; !tree.isBelow(column, row, planes, bit); planes += 1) {
    if (planes > limits.planes) throw new RangeError("a code-block has too many bit planes");
  }
}

/**
 * Copies the coding passes and length of a code-block in a packet; a half without the block gets "one pass, no bytes".
 */
function splitContribution(block: Block, header: HeaderBits, writers: readonly [HeaderWriter, HeaderWriter]): number {
  const copied: number[] = [];
  const bit = () => {
    const read = header.bit();
    copied.push(read);
    return read;
  };
  const bits = (count: number) => Array.from({ length: count }, bit).reduce((value, read) => value * 2 + read, 0);
  const passes = passesOf(bit, bits);
  block.passes += passes;
  while (bit() === 1) block.lengthBits += 1;
  if (block.passes > limits.passes || block.lengthBits > 32) throw new RangeError("a code-block is in pieces");
  const length = bits(block.lengthBits + Math.floor(Math.log2(passes)));
  writers.forEach((writer, half) => {
    if (block.isIn[half]) for (const read of copied) writer.put(read);
    else writer.putBits(0, 1 + 1 + 3);
  });
  return length;
}

/** @see ISO/IEC 15444-1 table B.4 */
function passesOf(bit: () => number, bits: (count: number) => number): number {
  if (bit() === 0) return 1;
  if (bit() === 0) return 2;
  const few = bits(2);
  if (few < 3) return 3 + few;
  const more = bits(5);
  return more < 31 ? 6 + more : 37 + bits(7);
}

function assembled(bytes: Uint8Array, { tileAt }: Layout, packets: readonly Uint8Array[]): Uint8Array {
  const head = Buffer.from(bytes.subarray(0, tileAt + 14));
  head.writeUInt32BE(
    packets.reduce((sum, { length }) => sum + length, 14),
    tileAt + 6,
  );
  return Buffer.concat([head, ...packets, Uint8Array.of(0xff, 0xd9)]);
}
