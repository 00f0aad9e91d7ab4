/** MSH-18 as the names by which decoders know the character sets. @see HL7 table 0211 */
const labels: Readonly<Record<string, string>> = {
  ASCII: "windows-1252",
  "8859/1": "windows-1252",
  "8859/2": "iso-8859-2",
  "8859/3": "iso-8859-3",
  "8859/4": "iso-8859-4",
  "8859/5": "iso-8859-5",
  "8859/6": "iso-8859-6",
  "8859/7": "iso-8859-7",
  "8859/8": "iso-8859-8",
  "8859/9": "windows-1254",
  "8859/15": "iso-8859-15",
  "ISO IR14": "shift_jis",
  "ISO IR87": "iso-2022-jp",
  "GB 18030-2000": "gb18030",
  "KS X 1001": "euc-kr",
  "BIG-5": "big5",
  UNICODE: "utf-8",
  "UNICODE UTF-8": "utf-8",
  "UNICODE UTF-16": "utf-16le",
};

/**
 * Decoder label of MSH-18.
 *
 * @param said  first repetition of MSH-18
 * @returns     null if empty or unknown
 */
export function hl7DecoderLabel(said: string): string | null {
  return (
    labels[
      said
        .trim()
        .toUpperCase()
        .replace(/^ISO[ -]?8859[-/]/, "8859/")
    ] ?? null
  );
}
