/** null is an empty cell. */
export type CsvCell = string | number | null;

/** Without a byte order mark Excel assumes the Windows code page and shows "Jürgen" as "JÃ¼rgen". */
const byteOrderMark = "\ufeff";

export function csvFile(text: string): string {
  return byteOrderMark + text;
}

/**
 * Formats comma-separated values, header first, with CRLF line ends. Text that a spreadsheet would run as a formula is
 * prefixed with an apostrophe.
 *
 * @see RFC 4180
 */
export function csvText(header: readonly string[], rows: Iterable<readonly CsvCell[]>): string {
  let text = csvLine(header);
  for (const row of rows) text += csvLine(row);
  return text;
}

/** Formats one line, including its CRLF. */
export function csvLine(cells: readonly CsvCell[]): string {
  return `${cells.map((cell) => quoted(String(cell ?? ""))).join(",")}\r\n`;
}

function quoted(cell: string): string {
  const text = withoutFormulas(cell);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * Identifiers come from API clients and tables are opened in spreadsheets, so `=HYPERLINK(…)` must remain text.
 * Negative numbers are not formulas. If the list separator is a semicolon or a tab, a formula can also start within a
 * cell.
 */
function withoutFormulas(cell: string): string {
  if (cell !== "" && !Number.isNaN(Number(cell))) return cell;
  return cell
    .replaceAll(/(^|[;\t\r\n])(?=[\s\p{Cf}"']*[=+\-@\uff1d\uff0b\uff0d\uff20])/gu, "$1'")
    .replace(/^[\t\r]/, "'$&");
}
