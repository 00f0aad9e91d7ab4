/** Names that TextDecoder does not have, in capitals: HL7 table 0211, and others found in HL7 and DICOM. */
const labels: Readonly<Record<string, string>> = {
  "": "windows-1252",
  "ISO IR6": "windows-1252",
  "ISO IR14": "shift_jis",
  "SHIFT JIS": "shift_jis",
  "ISO IR87": "iso-2022-jp",
  "ISO IR159": "iso-2022-jp",
  "GB 18030-2000": "gb18030",
  "GB18030-2000": "gb18030",
  "KS X 1001": "euc-kr",
  "BIG-5": "big5",
  UNICODE: "utf-8",
  "UNICODE UTF-8": "utf-8",
};

const codePages: Readonly<Record<string, string>> = {
  "932": "shift_jis",
  "936": "gb18030",
  "949": "euc-kr",
  "950": "big5",
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
    .replace(/^(ISO[ -]?)?8859[-/ ]/, "ISO-8859-");
  const codePage = /^(?:WINDOWS|CP|MS)[ -]?(\d+)$/.exec(plain)?.[1];
  const label = codePage === undefined ? (labels[plain] ?? plain) : (codePages[codePage] ?? `windows-${codePage}`);
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return null;
  }
}
