/** A cell of a table; null is an empty one. */
export type CsvCell = string | number | null;

/**
 * Comma-separated values, header first, CRLF line ends.
 *
 * @see RFC 4180
 */
export function csvText(header: readonly string[], rows: Iterable<readonly CsvCell[]>): string {
  let text = csvLine(header);
  for (const row of rows) text += csvLine(row);
  return text;
}

function csvLine(cells: readonly CsvCell[]): string {
  return `${cells.map((cell) => quoted(String(cell ?? ""))).join(",")}\r\n`;
}

function quoted(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
