/** Reads bits as the packet headers of JPEG 2000 hold them: after 0xFF a byte has seven. @see ISO/IEC 15444-1 B.10.1 */
export class HeaderBits {
  readonly #bytes: Uint8Array;
  #at: number;
  #byte = 0;
  #left = 0;

  constructor(bytes: Uint8Array, at: number) {
    this.#bytes = bytes;
    this.#at = at;
  }

  /** @throws RangeError past the end */
  bit(): number {
    if (this.#left === 0) {
      this.#left = this.#byte === 0xff ? 7 : 8;
      this.#byte = this.#next();
    }
    this.#left -= 1;
    return (this.#byte >> this.#left) & 1;
  }

  bits(count: number): number {
    let value = 0;
    for (let read = 0; read < count; read += 1) value = value * 2 + this.bit();
    return value;
  }

  /** @returns where the header ends: on a whole byte, and never behind 0xFF */
  end(): number {
    if (this.#byte === 0xff) this.#next();
    return this.#at;
  }

  #next(): number {
    const byte = this.#bytes[this.#at];
    if (byte === undefined) throw new RangeError("a packet header is cut off");
    this.#at += 1;
    return byte;
  }
}

/** Writes what `HeaderBits` reads. */
export class HeaderWriter {
  readonly #bytes: number[] = [];
  #byte = 0;
  #free = 8;

  put(bit: number): void {
    this.#free -= 1;
    this.#byte |= bit << this.#free;
    if (this.#free === 0) this.#endByte();
  }

  putBits(value: number, count: number): void {
    for (let shift = count - 1; shift >= 0; shift -= 1) this.put((value >> shift) & 1);
  }

  /** The whole header. */
  finish(): Uint8Array {
    // After 0xFF another byte, of seven bits, must follow.
    if (this.#free < 8) this.#endByte();
    return Uint8Array.from(this.#bytes);
  }

  #endByte(): void {
    this.#bytes.push(this.#byte);
    this.#free = this.#byte === 0xff ? 7 : 8;
    this.#byte = 0;
  }
}

/** One level of a tag tree: `least` is the lower bound of each value, `isKnown` that it is exact. */
type TreeLevel = { readonly width: number; readonly least: Uint16Array; readonly isKnown: Uint8Array };

/** Smallest values of the parts of a grid, learnt bit by bit. @see ISO/IEC 15444-1 B.10.2 */
export class TagTree {
  /** From the leaves to the root. */
  readonly #levels: TreeLevel[] = [];

  constructor(width: number, height: number) {
    for (let [across, down] = [width, height]; ; [across, down] = [Math.ceil(across / 2), Math.ceil(down / 2)]) {
      this.#levels.push({
        width: across,
        least: new Uint16Array(across * down),
        isKnown: new Uint8Array(across * down),
      });
      if (across * down <= 1) return;
    }
  }

  /** Whether a leaf's value is below a threshold; reads as many bits as that takes. */
  isBelow(column: number, row: number, threshold: number, bit: () => number): boolean {
    let least = 0;
    for (let level = this.#levels.length - 1; level >= 0; level -= 1) {
      const nodes = this.#levels[level] as TreeLevel;
      const node = (row >> level) * nodes.width + (column >> level);
      least = Math.max(least, nodes.least[node] as number);
      while (least < threshold && !nodes.isKnown[node]) {
        if (bit() === 1) nodes.isKnown[node] = 1;
        else least += 1;
      }
      nodes.least[node] = least;
      if (level === 0) return nodes.isKnown[node] === 1 && least < threshold;
    }
    return false;
  }
}
