import type { ElementValues } from "../elements/dicom-elements.ts";
import { dicomDateTime } from "../elements/dicom-time.ts";
import { dataSetBytes, littleEndian, type DataSet, type Element } from "../writing/element-bytes.ts";
import { part10Header } from "../writing/part-10.ts";
import { explicitLittleEndian } from "../transfer-syntaxes.ts";

export type { DataSet, Element } from "../writing/element-bytes.ts";

/** Maximum length by VR [bytes of UTF-8]: the standard counts characters, but not all archives do. @see PS3.5 6.2 */
const longest: Readonly<Record<string, number>> = {
  CS: 16,
  SH: 16,
  AE: 16,
  AS: 4,
  IS: 12,
  DS: 16,
  LO: 64,
  PN: 64,
  ST: 1024,
  LT: 10_240,
};

/**
 * Creates a text element; null and "" result in an empty one (type 2). Replaces control characters by blanks, except
 * line breaks and tabs in texts (ST, LT, UT), and separators, which texts may contain. Truncates to the length of the
 * VR, in a name each of its three component groups.
 */
export function text(vr: string, value: string | null | undefined): Element {
  const clean = (value ?? "").replace(/^[SLU]T$/.test(vr) ? /[^\P{Cc}\r\n\t]/gu : /[\p{Cc}\\]/gu, " ");
  const groups = vr === "PN" ? clean.split("=", 3) : [clean];
  const fitting = groups.map((group) => cut(group, longest[vr] ?? Infinity)).join("=");
  return { vr, Value: fitting.trim() === "" ? [] : [fitting] };
}

/**
 * Creates a person name from typed text, as a single component. The trailing delimiter distinguishes it from the old
 * form without components.
 */
export function personName(name: string): Element {
  const plain = cut(name.replace(/[\^=]/g, " "), 63).trim();
  return text("PN", plain === "" ? "" : `${plain}^`);
}

export function fits(vr: string, value: string): boolean {
  return text(vr, value).Value[0] === value;
}

function cut(value: string, maxBytes: number): string {
  const { read } = new TextEncoder().encodeInto(value, new Uint8Array(Math.min(maxBytes, 3 * value.length)));
  return value.slice(0, read);
}

export function words(...values: readonly string[]): Element {
  return { vr: "CS", Value: values };
}

export function uid(value: string): Element {
  return { vr: "UI", Value: [value] };
}

export function numbers(vr: "US" | "UL" | "FL" | "FD" | "IS" | "DS", ...values: readonly number[]): Element {
  return { vr, Value: vr === "DS" || vr === "IS" ? values.map(decimalText) : values };
}

export function sequence(...items: readonly DataSet[]): Element {
  return { vr: "SQ", Value: items };
}

function decimalText(value: number): string {
  const whole = String(value);
  return whole.length <= 16 ? whole : String(Number(value.toPrecision(10)));
}

/** In the zone of the study: the UTC offset in the film's file, which results copy, else that of this workstation. */
export function localDateTime(
  at: Date,
  source: ElementValues | null,
): { readonly date: Element; readonly time: Element } {
  const { date, time } = dicomDateTime(at, source?.text("00080201") ?? null);
  return { date: text("DA", date), time: text("TM", time) };
}

export function dateTime(at: Date): Element {
  return text("DT", `${at.toISOString().replace(/[-:TZ]/g, "")}000+0000`);
}

/** Writes a file in Explicit VR Little Endian, with texts in UTF-8. */
export function writeFile(dataSet: DataSet): Uint8Array {
  const uidAt = (tag: string) => String(dataSet[tag]?.Value[0]);
  const header = part10Header({
    sopClassUid: uidAt("00080016"),
    sopInstanceUid: uidAt("00080018"),
    transferSyntaxUid: explicitLittleEndian,
    sourceAeTitle: "",
  });
  return Buffer.concat([header, dataSetBytes({ "00080005": words("ISO_IR 192"), ...dataSet }, littleEndian)]);
}
