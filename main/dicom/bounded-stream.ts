import dicomParser from "dicom-parser";
import { AppError, because } from "../../core/app-error.ts";

/** Limit of elements in one file: far above a CD's directory, far below what exhausts memory. */
const elementLimit = 500_000;

/**
 * Value representations with 32-bit lengths that dicom-parser takes for short ones; reading them as UN finds the bytes.
 */
const longRepresentations: ReadonlySet<string> = new Set(["OV", "SV", "UV"]);

/** dicom-parser's stream with bounds: it counts elements, knows the present one, and never leaves the bytes. */
export class BoundedStream extends dicomParser.ByteStream {
  private elementAt = -1;
  private elements = 0;

  constructor(byteArray: Uint8Array, position: number, isBigEndian: boolean) {
    super(
      isBigEndian ? dicomParser.bigEndianByteArrayParser : dicomParser.littleEndianByteArrayParser,
      byteArray,
      position,
    );
    this.seek = (offset) => this.moveBy(offset);
    this.readFixedString = (length) => this.representation(length);
    this.readUint32 = () => this.length32();
  }

  /** The element that was read last, as vets' software writes it: `(0010,0010)`. */
  elementName(): string {
    if (this.elementAt < 0 || this.elementAt + 4 > this.byteArray.length) return "1";
    const half = (at: number) =>
      this.byteArrayParser.readUint16(this.byteArray, at).toString(16).toUpperCase().padStart(4, "0");
    return `(${half(this.elementAt)},${half(this.elementAt + 2)})`;
  }

  private moveBy(offset: number): void {
    const position = this.position + offset;
    if (position < 0 || position > this.byteArray.length)
      throw new AppError("INVALID_DICOM", because("dicomCutOff", { element: this.elementName() }));
    this.position = position;
  }

  private representation(length: number): string {
    this.beginElement(this.position - 4);
    const text = dicomParser.readFixedString(this.byteArray, this.position, length);
    this.position += length;
    if (text !== "" && !/^[A-Z]{2}$/.test(text))
      throw new AppError("INVALID_DICOM", because("dicomNoRepresentation", { element: this.elementName() }));
    return longRepresentations.has(text) ? "UN" : text;
  }

  private length32(): number {
    // In explicit syntax a long length follows a value representation of the same element.
    if (this.position !== this.elementAt + 8) this.beginElement(this.position - 4);
    const value = this.byteArrayParser.readUint32(this.byteArray, this.position);
    this.position += 4;
    return value;
  }

  private beginElement(at: number): void {
    this.elementAt = at;
    this.elements += 1;
    if (this.elements > elementLimit)
      throw new AppError("INVALID_DICOM", because("dicomTooManyElements", { limit: elementLimit }));
  }
}
