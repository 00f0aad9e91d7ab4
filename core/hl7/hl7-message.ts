import { AppError, because } from "../app-error.ts";

type Delimiters = {
  readonly field: string;
  readonly component: string;
  readonly repetition: string;
  readonly escape: string;
  readonly subcomponent: string;
};

/** `fields[n]` is field n, also for MSH. */
export type Hl7Segment = { readonly name: string; readonly fields: readonly string[] };
export type Hl7Message = { readonly segments: readonly Hl7Segment[]; readonly delimiters: Delimiters };

const maxSegments = 20_000;

/** A line feed ends a segment only if a segment name and a delimiter follow; otherwise it is part of a field. */
const segmentEnd = /\r\n?|\n(?=[A-Z][A-Z\d]{2}(?![\p{L}\d\s]))/u;

const envelopes = new Set(["FHS", "BHS", "BTS", "FTS"]);

const bytesCode = /^X(?:[0-9A-Fa-f]{2})+$/;

/**
 * Parses the messages of a text: one, several in sequence, or a batch; with or without the MLLP frame.
 *
 * @throws AppError INVALID_FIELD for a text without messages or with impossible delimiters
 * @see HL7 v2.5.1 chapter 2
 */
export function parseHl7(text: string): readonly Hl7Message[] {
  const lines = text
    .replace(/[\u000b\u001c\ufeff]/g, "")
    .split(segmentEnd)
    .map((line) => line.replaceAll("\n", " "))
    .filter((line) => line.trim() !== "" && !envelopes.has(line.slice(0, 3)));
  if (lines.length > maxSegments) throw new AppError("INVALID_FIELD", because("hl7TooLong"));
  const starts = lines.flatMap((line, index) => (line.startsWith("MSH") ? [index] : []));
  if (starts[0] !== 0) throw new AppError("INVALID_FIELD", because("hl7WithoutHeader"));
  return starts.map((start, index) => messageOf(lines.slice(start, starts[index + 1])));
}

function messageOf(lines: readonly string[]): Hl7Message {
  const [header = ""] = lines;
  const delimiters = delimitersOf(header);
  const { field } = delimiters;
  return {
    delimiters,
    segments: lines.map((line, index) => {
      const [name = "", ...fields] = line.split(field);
      return { name, fields: index === 0 ? [name, field, ...fields] : [name, ...fields] };
    }),
  };
}

function delimitersOf(header: string): Delimiters {
  const [field = "", ...behind] = [...header.slice(3, 12)];
  // Senders of version 2.2 omit the last delimiters, so that the field ends earlier.
  const end = behind.indexOf(field);
  const declared = behind.slice(0, Math.min(end === -1 ? behind.length : end, 4));
  const [component, repetition, escape = "\\", subcomponent = "&"] = declared;
  const isPlain = [field, ...declared].every((sign) => /^[^\p{L}\p{N}\s]$/u.test(sign));
  if (
    component === undefined ||
    repetition === undefined ||
    !isPlain ||
    new Set([field, ...declared]).size <= declared.length
  )
    throw new AppError("INVALID_FIELD", because("hl7Delimiters"));
  return { field, component, repetition, escape, subcomponent };
}

export function segmentOf({ segments }: Hl7Message, name: string): Hl7Segment | null {
  return segments.find((segment) => segment.name === name) ?? null;
}

export function firstRepetition(message: Hl7Message, segment: Hl7Segment | null, field: number): string {
  return repetitionsOf(message, segment, field).find((raw) => raw.trim() !== "") ?? "";
}

export function repetitionsOf(message: Hl7Message, segment: Hl7Segment | null, field: number): readonly string[] {
  const raw = segment?.fields[field] ?? "";
  return raw === "" ? [] : raw.split(message.delimiters.repetition);
}

/**
 * Returns a component with escapes decoded; "" if missing or deleted (`""`).
 *
 * @param raw        a repetition of a field
 * @param component  from 1; its text may contain the subcomponent delimiter, because many senders write names such as
 *                   "Tom & Jerry" without escapes
 */
export function componentOf({ delimiters }: Hl7Message, raw: string, component: number): string {
  const part = raw.split(delimiters.component)[component - 1] ?? "";
  return part === '""' ? "" : unescaped(part, delimiters).trim();
}

export function subcomponentsOf(message: Hl7Message, raw: string, component: number): readonly string[] {
  const { delimiters } = message;
  const part = raw.split(delimiters.component)[component - 1] ?? "";
  if (part === '""') return [""];
  return part.split(delimiters.subcomponent).map((text) => unescaped(text, delimiters).trim());
}

export function valueOf(message: Hl7Message, segment: string, field: number, component = 1): string {
  const found = segmentOf(message, segment);
  if (segment === "MSH" && field <= 2) return found?.fields[field] ?? "";
  return componentOf(message, firstRepetition(message, found, field), component);
}

/** Consecutive byte escapes are decoded together, since a UTF-8 character may be spread over several. */
function unescaped(part: string, delimiters: Delimiters): string {
  const { escape } = delimiters;
  const [start = "", ...pieces] = part.split(escape);
  const text = [start];
  let hex: string[] = [];
  const flush = () => {
    if (hex.length > 0) text.push(textOfHex(hex.join("")));
    hex = [];
  };
  // An unpaired escape character is literal.
  for (let index = 0; index < pieces.length; index += 2) {
    const [code = "", after] = [pieces[index], pieces[index + 1]];
    if (after !== undefined && bytesCode.test(code)) hex.push(code.slice(1));
    else flush();
    if (after === undefined) text.push(escape + code);
    else if (!bytesCode.test(code)) text.push(signOf(code, delimiters) ?? escape + code + escape);
    if (after) flush();
    text.push(after ?? "");
  }
  flush();
  return text.join("");
}

function signOf(code: string, { field, component, repetition, escape, subcomponent }: Delimiters): string | null {
  const signs: Readonly<Record<string, string>> = {
    F: field,
    S: component,
    R: repetition,
    E: escape,
    T: subcomponent,
    ".br": "\n",
    ".sp": "\n",
    H: "",
    N: "",
  };
  return signs[code] ?? null;
}

function textOfHex(hex: string): string {
  return decoded(hex).replace(/[\u0000-\u0009\u000b\u000c\u000e-\u001f]/g, "");
}

function decoded(hex: string): string {
  try {
    return decodeURIComponent(hex.replace(/../g, "%$&"));
  } catch {
    return hex.replace(/../g, (byte) => String.fromCharCode(Number.parseInt(byte, 16)));
  }
}
