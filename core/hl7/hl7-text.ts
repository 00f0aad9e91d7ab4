export type Hl7Field = string | number | null | readonly (string | number | null)[];

const escapes: Readonly<Record<string, string>> = {
  "\\": "\\E\\",
  "|": "\\F\\",
  "^": "\\S\\",
  "~": "\\R\\",
  "&": "\\T\\",
};

/**
 * Formats a message: segments end with CR, delimiters are escaped, line breaks become `\.br\`.
 *
 * @param segments  name and fields from field 1 on; for MSH from field 3 on
 */
export function hl7Text(segments: readonly (readonly [name: string, ...fields: Hl7Field[]])[]): string {
  return segments
    .map(([name, ...fields]) => {
      const start = name === "MSH" ? "MSH|^~\\&" : name;
      const line = [start, ...fields.map(fieldText)].join("|");
      return `${line.replace(/\|+$/, "")}\r`;
    })
    .join("");
}

export function hl7Time(at: Date): string {
  return `${at.toISOString().slice(0, 19).replace(/[-:T]/g, "")}+0000`;
}

function fieldText(field: Hl7Field): string {
  const parts = Array.isArray(field)
    ? (field as readonly (string | number | null)[])
    : [field as string | number | null];
  return parts.map(escaped).join("^").replace(/\^+$/, "");
}

function escaped(value: string | number | null): string {
  return String(value ?? "")
    .replace(/[\\|^~&]/g, (sign) => escapes[sign] ?? sign)
    .replace(/\r\n|\r|\n/g, "\\.br\\")
    .replace(/\p{Cc}/gu, " ");
}
