/** Decoder labels by upper-case name: HL7 table 0211, and other names found in HL7 and DICOM. */
const labels: Readonly<Record<string, string>> = {
  "": "windows-1252",
  ASCII: "windows-1252",
  "US-ASCII": "windows-1252",
  "ISO IR6": "windows-1252",
  "8859/1": "windows-1252",
  "8859/2": "iso-8859-2",
  "8859/3": "iso-8859-3",
  "8859/4": "iso-8859-4",
  "8859/5": "iso-8859-5",
  "8859/6": "iso-8859-6",
  "8859/7": "iso-8859-7",
  "8859/8": "iso-8859-8",
  "8859/9": "windows-1254",
  "8859/10": "iso-8859-10",
  "8859/11": "windows-874",
  "8859/13": "iso-8859-13",
  "8859/14": "iso-8859-14",
  "8859/15": "iso-8859-15",
  "8859/16": "iso-8859-16",
  "ISO IR14": "shift_jis",
  "SHIFT JIS": "shift_jis",
  "ISO IR87": "iso-2022-jp",
  "ISO IR159": "iso-2022-jp",
  "EUC-JP": "euc-jp",
  "GB 18030-2000": "gb18030",
  GB18030: "gb18030",
  "GB18030-2000": "gb18030",
  GBK: "gb18030",
  GB2312: "gb18030",
  "KS X 1001": "euc-kr",
  "EUC-KR": "euc-kr",
  "BIG-5": "big5",
  BIG5: "big5",
  "KOI8-R": "koi8-r",
  UNICODE: "utf-8",
  "UTF-8": "utf-8",
  UTF8: "utf-8",
  "UNICODE UTF-8": "utf-8",
};

const codePages: Readonly<Record<string, string>> = {
  "874": "windows-874",
  "932": "shift_jis",
  "936": "gb18030",
  "949": "euc-kr",
  "950": "big5",
  ...Object.fromEntries(
    Array.from({ length: 9 }, (_, index) => String(1250 + index)).map((page) => [page, `windows-${page}`]),
  ),
  "65001": "utf-8",
};

/**
 * Returns the decoder label of a character set, given its HL7 name (MSH-18) or a name that is not a DICOM defined term.
 *
 * @returns  null if unknown
 */
export function characterSetLabel(name: string): string | null {
  const plain = name
    .trim()
    .toUpperCase()
    .replaceAll("_", " ")
    .replace(/^(ISO[ -]?)?8859[-/ ]/, "8859/");
  const codePage = /^(?:WINDOWS|CP|MS)[ -]?(\d+)$/.exec(plain)?.[1];
  return (codePage === undefined ? labels[plain] : codePages[codePage]) ?? null;
}
