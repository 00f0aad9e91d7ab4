import { characterSetLabel } from "./character-set-label.ts";

/** Decodes the bytes of one text element; `representation` is its VR, null if unknown. */
export type TextDecoding = (bytes: Uint8Array, representation: string | null) => string;

/** Value representations with a single value, in which a backslash is an ordinary character. */
export const wholeTexts: ReadonlySet<string> = new Set(["ST", "LT", "UT", "UR"]);

/** Encoding of the upper half (G1) for each single-byte or multi-byte character set, by the number in its name. */
const upperHalfEncodings: Readonly<Record<string, string>> = {
  "13": "shift_jis",
  "58": "gbk",
  "100": "windows-1252",
  "101": "iso-8859-2",
  "109": "iso-8859-3",
  "110": "iso-8859-4",
  "126": "iso-8859-7",
  "127": "iso-8859-6",
  "138": "iso-8859-8",
  "144": "iso-8859-5",
  "148": "windows-1254",
  "149": "euc-kr",
  "166": "windows-874",
  "192": "utf-8",
  "203": "iso-8859-15",
};

export const characterSets: readonly { readonly term: string; readonly encoding: string }[] = [
  ...Object.entries(upperHalfEncodings).map(([number, encoding]) => ({ term: `ISO_IR ${number}`, encoding })),
  { term: "ISO 2022 IR 87", encoding: "jis-x-0208" },
  { term: "ISO 2022 IR 159", encoding: "jis-x-0212" },
  { term: "GBK", encoding: "gbk" },
  { term: "GB18030", encoding: "gb18030" },
];

/** Active sets of a text: the lower half (G0) of the code table and its upper half (G1, null: unspecified). */
type Halves = { readonly lower: "ascii" | "jis-x-0208" | "jis-x-0212"; readonly upper: string | null };

const lower = (set: Halves["lower"]): Partial<Halves> => ({ lower: set });
const upper = (encoding: string): Partial<Halves> => ({ upper: encoding });

/** Sets selected by escape sequences (here without ESC). @see DICOM PS3.3 C.12.1.1.2, tables C.12-3 and C.12-4 */
const designations: Readonly<Record<string, Partial<Halves>>> = {
  "(B": lower("ascii"),
  "(J": lower("ascii"),
  $B: lower("jis-x-0208"),
  "$@": lower("jis-x-0208"),
  "$(D": lower("jis-x-0212"),
  ")I": upper("shift_jis"),
  "$)C": upper("euc-kr"),
  "$)A": upper("gbk"),
  "-A": upper("windows-1252"),
  "-B": upper("iso-8859-2"),
  "-C": upper("iso-8859-3"),
  "-D": upper("iso-8859-4"),
  "-F": upper("iso-8859-7"),
  "-G": upper("iso-8859-6"),
  "-H": upper("iso-8859-8"),
  "-L": upper("iso-8859-5"),
  "-M": upper("windows-1254"),
  "-T": upper("windows-874"),
  "-b": upper("iso-8859-15"),
};

const escape = 0x1b;

const lineEnds = [0x09, 0x0a, 0x0c, 0x0d];
const resetters = {
  whole: new Set(lineEnds),
  values: new Set([...lineEnds, 0x5c]),
  names: new Set([...lineEnds, 0x5c, 0x5e, 0x3d]),
} as const;

/** Bytes after which the file's first character set is active again. @see DICOM PS3.5 6.1.2.5.3 */
function resettersOf(representation: string | null): ReadonlySet<number> {
  if (representation === "PN") return resetters.names;
  return representation !== null && wholeTexts.has(representation) ? resetters.whole : resetters.values;
}

/** Sets whose upper half only escape sequences select: ASCII, JIS X 0208 and JIS X 0212. */
const setsWithoutUpperHalf: ReadonlySet<string> = new Set(["6", "87", "159"]);

/** Encoding of a character set; null for ASCII and sets that only escape sequences select, undefined if unknown. */
function encodingOf(name: string): string | null | undefined {
  const number = /^(?:ISO[ _-]*)?(?:2022[ _-]*)?(?:IR[ _-]*)?(\d+)$/.exec(name)?.[1];
  if (name === "" || setsWithoutUpperHalf.has(number ?? "")) return null;
  if (name === "GBK" || name === "ISO 2022 GBK") return "gbk";
  return upperHalfEncodings[number ?? ""] ?? characterSetLabel(name) ?? undefined;
}

const termOf = (name: string) => name.trim().toUpperCase();

export function unknownCharacterSets(names: readonly string[]): readonly string[] {
  return names.filter((name) => encodingOf(termOf(name)) === undefined);
}

/**
 * Selects the text decoding by Specific Character Set (0008,0005); without a known one, UTF-8 if the bytes are valid,
 * else Latin-1. @see DICOM PS3.3 C.12.1.1.2
 */
export function textDecodingOf(names: readonly string[]): TextDecoding {
  const [first = "", ...others] = names.map(termOf);
  const encoding = encodingOf(first) ?? null;
  const hasCodeExtensions = first === "" || first.startsWith("ISO") || encoding === null;
  if (!hasCodeExtensions) return (bytes) => decodeUpper(encoding, bytes);
  const extended: TextDecoding = (bytes, representation) => decodeIso2022(bytes, encoding, resettersOf(representation));
  if (first.startsWith("ISO 2022") || others.length > 0) return extended;
  return (bytes, representation) =>
    bytes.includes(escape) ? extended(bytes, representation) : decodeUpper(encoding, bytes);
}

function decodeAs(encoding: string, bytes: Uint8Array): string {
  return new TextDecoder(encoding).decode(bytes);
}

/** Letters expected in a character set. Text without them is decoded by the set, even if it is valid UTF-8. */
const expectedLetters: Readonly<Record<string, RegExp>> = {
  shift_jis: /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u,
  "euc-jp": /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u,
  gbk: /\p{Script=Han}/u,
  gb18030: /\p{Script=Han}/u,
  big5: /\p{Script=Han}/u,
  "euc-kr": /[\p{Script=Hangul}\p{Script=Han}]/u,
  "iso-8859-5": /\p{Script=Cyrillic}/u,
  "windows-1251": /\p{Script=Cyrillic}/u,
  "koi8-r": /\p{Script=Cyrillic}/u,
  "iso-8859-6": /\p{Script=Arabic}/u,
  "windows-1256": /\p{Script=Arabic}/u,
  "iso-8859-7": /\p{Script=Greek}/u,
  "windows-1253": /\p{Script=Greek}/u,
  "iso-8859-8": /\p{Script=Hebrew}/u,
  "windows-1255": /\p{Script=Hebrew}/u,
  "windows-874": /\p{Script=Thai}/u,
};

/** Decodes text without escape sequences: as UTF-8 if valid with the expected letters, else by the declared set. */
function decodeUpper(encoding: string | null, bytes: Uint8Array): string {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    const expected = expectedLetters[encoding ?? ""];
    if (expected === undefined || expected.test(text)) return text;
  } catch {
    // Not UTF-8: decode by the declared set.
  }
  return decodeAs(encoding ?? "windows-1252", bytes);
}

function decodeIso2022(bytes: Uint8Array, firstUpper: string | null, resetting: ReadonlySet<number>): string {
  let text = "";
  let runAt = 0;
  const first: Halves = { lower: "ascii", upper: firstUpper };
  let halves = first;
  const endRun = (end: number) => {
    text += decodeRun(bytes.subarray(runAt, end), halves);
    runAt = end;
  };
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte === escape) {
      endRun(at);
      const { designation, length } = designationAt(bytes, at + 1);
      halves = { ...halves, ...designation };
      at += length;
      runAt = at + 1;
    } else if (halves.lower === "ascii" && resetting.has(byte)) {
      endRun(at);
      halves = first;
    } else if (isLeadByte(byte, halves)) at += 1;
  }
  endRun(bytes.length);
  return text;
}

/** Whether a byte is the first of two, whose second must not be read as a delimiter. */
function isLeadByte(byte: number, halves: Halves): boolean {
  if (byte < 0x80) return halves.lower !== "ascii" && byte > 0x20;
  return halves.upper === "euc-kr" || halves.upper === "gbk";
}

function designationAt(
  bytes: Uint8Array,
  at: number,
): { readonly designation: Partial<Halves>; readonly length: number } {
  const following = String.fromCharCode(...bytes.subarray(at, at + 3));
  for (const length of [3, 2]) {
    const designation = designations[following.slice(0, length)];
    if (designation) return { designation, length };
  }
  return { designation: {}, length: 0 };
}

function decodeRun(run: Uint8Array, halves: Halves): string {
  switch (halves.lower) {
    case "jis-x-0208":
      return decodeAs(
        "euc-jp",
        run.map((byte) => (byte > 0x20 ? byte | 0x80 : byte)),
      );
    case "jis-x-0212":
      return decodeAs("euc-jp", withThreeByteMarks(run));
    case "ascii":
      return decodeUpper(halves.upper, run);
  }
}

/** JIS X 0212 in EUC-JP form: 0x8F before each pair. */
function withThreeByteMarks(run: Uint8Array): Uint8Array {
  const marked: number[] = [];
  for (let at = 0; at < run.length; at += 1) {
    const byte = run[at] ?? 0;
    if (byte <= 0x20) marked.push(byte);
    else marked.push(0x8f, byte | 0x80, (run[(at += 1)] ?? 0) | 0x80);
  }
  return Uint8Array.from(marked);
}
