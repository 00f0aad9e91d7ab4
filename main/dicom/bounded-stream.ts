import dicomParser, { type Element } from "dicom-parser";
import { AppError, because } from "../../core/app-error.ts";

/** Maximum number of elements in one file: far above the DICOMDIR of a CD, far below what exhausts memory. */
const elementLimit = 500_000;

/** Value representations whose 32-bit lengths dicom-parser reads as 16 bits. They are read as UN, which has 32 bits. */
const longRepresentations: ReadonlySet<string> = new Set(["OV", "SV", "UV"]);

const delimiterGroup = 0xfffe;
/** May be truncated: frames are checked one by one, and those before the end of the file are complete. */
const pixelData = "(7FE0,0010)";
const endMarks: ReadonlySet<number> = new Set([0xe00d, 0xe0dd]);

/** ByteStream of dicom-parser with limits. The length of a delimitation item is ignored, since it has no value. */
export class BoundedStream extends dicomParser.ByteStream {
  private elementAt = -1;
  private elements = 0;
  private isAtEndMark = false;

  constructor(byteArray: Uint8Array, position: number, isBigEndian: boolean) {
    super(
      isBigEndian ? dicomParser.bigEndianByteArrayParser : dicomParser.littleEndianByteArrayParser,
      byteArray,
      position,
    );
    this.seek = (offset) => this.moveBy(offset);
    this.readFixedString = (length) => this.representation(length);
    this.readUint16 = () => this.word();
    this.readUint32 = () => this.length32();
  }

  /** Tag of the current element in the form `(0010,0010)`; "1" before the first. */
  elementName(): string {
    if (this.elementAt < 0 || this.elementAt + 4 > this.byteArray.length) return "1";
    const half = (at: number) =>
      this.byteArrayParser.readUint16(this.byteArray, at).toString(16).toUpperCase().padStart(4, "0");
    return `(${half(this.elementAt)},${half(this.elementAt + 2)})`;
  }

  /** Skips a private sequence of defined length and returns it without items; null for any other element. */
  skipPrivateSequence(at: number): Element | null {
    if (at + 12 > this.byteArray.length) return null;
    const [group, element] = [0, 2].map((half) => this.byteArrayParser.readUint16(this.byteArray, at + half));
    const isPrivate = ((group ?? 0) & 1) === 1;
    const length = this.byteArrayParser.readUint32(this.byteArray, at + 8);
    const [dataOffset, end] = [at + 12, at + 12 + length];
    const isSequence = dicomParser.readFixedString(this.byteArray, at + 4, 2) === "SQ";
    if (!isPrivate || !isSequence || end > this.byteArray.length) return null;
    this.position = end;
    const tag = [group, element].map((half) => (half ?? 0).toString(16).padStart(4, "0")).join("");
    return { tag: `x${tag}`, vr: "UN", length, dataOffset };
  }

  private moveBy(offset: number): void {
    const position = this.position + offset;
    const isBeyond = position > this.byteArray.length;
    if (position < 0 || (isBeyond && this.elementName() !== pixelData))
      throw new AppError("INVALID_DICOM", because("dicomCutOff", { element: this.elementName() }));
    this.position = Math.min(position, this.byteArray.length);
  }

  private representation(length: number): string {
    this.beginElement(this.position - 4);
    const text = dicomParser.readFixedString(this.byteArray, this.position, length);
    this.position += length;
    this.isAtEndMark = this.isEndMark(this.elementAt);
    if (this.isAtEndMark || text === "") return "";
    if (!/^[A-Z]{2}$/.test(text)) {
      if (this.hasShortLength()) return "";
      throw new AppError("INVALID_DICOM", because("dicomNoRepresentation", { element: this.elementName() }));
    }
    return longRepresentations.has(text) ? "UN" : text;
  }

  private word(): number {
    const value = this.byteArrayParser.readUint16(this.byteArray, this.position);
    this.position += 2;
    if (!this.isAtEndMark) return value;
    this.isAtEndMark = false;
    return 0;
  }

  private isEndMark(at: number): boolean {
    if (at < 0 || at + 4 > this.byteArray.length) return false;
    const half = (place: number) => this.byteArrayParser.readUint16(this.byteArray, place);
    return half(at) === delimiterGroup && endMarks.has(half(at + 2));
  }

  /** Whether a 16-bit length and the next element follow an invalid representation. */
  private hasShortLength(): boolean {
    const at = this.position;
    if (at + 2 > this.byteArray.length) return false;
    const next = at + 2 + this.byteArrayParser.readUint16(this.byteArray, at);
    if (next === this.byteArray.length) return true;
    if (next + 8 > this.byteArray.length) return false;
    const group = (place: number) => this.byteArrayParser.readUint16(this.byteArray, place);
    const representation = dicomParser.readFixedString(this.byteArray, next + 4, 2);
    return (
      group(next) === delimiterGroup || (group(next) >= group(this.elementAt) && /^[A-Z]{2}$/.test(representation))
    );
  }

  private length32(): number {
    // In explicit syntax a long length follows a value representation of the same element.
    if (this.position !== this.elementAt + 8) this.beginElement(this.position - 4);
    const value = this.byteArrayParser.readUint32(this.byteArray, this.position);
    this.position += 4;
    if (this.isEndMark(this.position - 8)) return 0;
    return value;
  }

  private beginElement(at: number): void {
    this.elementAt = at;
    this.elements += 1;
    if (this.elements > elementLimit)
      throw new AppError("INVALID_DICOM", because("dicomTooManyElements", { limit: elementLimit }));
  }
}
