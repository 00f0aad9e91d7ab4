/** A cell of a table; null is an empty one. */
export type CsvCell = string | number | null;

/** Excel reads a table without it in the code page of its Windows, and "Jürgen" as "JÃ¼rgen". */
const byteOrderMark = "\ufeff";

export function csvFile(text: string): string {
  return byteOrderMark + text;
}

/**
 * Comma-separated values, header first, CRLF line ends. Text that a spreadsheet would run as a formula gets an
 * apostrophe in front.
 *
 * @see RFC 4180
 */
export function csvText(header: readonly string[], rows: Iterable<readonly CsvCell[]>): string {
  let text = csvLine(header);
  for (const row of rows) text += csvLine(row);
  return text;
}

/** One line of such a table, with its CRLF. */
export function csvLine(cells: readonly CsvCell[]): string {
  return `${cells.map((cell) => quoted(String(cell ?? ""))).join(",")}\r\n`;
}

function quoted(cell: string): string {
  const text = withoutFormulas(cell);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * Identifiers come from callers, and tables are opened in spreadsheets: `=HYPERLINK(…)` must stay text. A negative
 * number is not a formula. Where the list separator is a semicolon or a tab, a formula can begin within a cell.
 */
function withoutFormulas(cell: string): string {
  if (cell !== "" && !Number.isNaN(Number(cell))) return cell;
  return cell
    .replaceAll(/(^|[;\t\r\n])(?=[\s\p{Cf}"']*[=+\-@\uff1d\uff0b\uff0d\uff20])/gu, "$1'")
    .replace(/^[\t\r]/, "'$&");
}
