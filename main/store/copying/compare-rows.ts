import { createHash } from "node:crypto";
import { AppError } from "../../../core/app-error.ts";
import type { ReadableDb } from "../connection.ts";
import { isLastPage, nameOfRow, readPage, type CopiedTable, type Row } from "./copied-tables.ts";

/**
 * Compares a table row by row, reading both sides in pages that begin after the same row.
 *
 * @returns number of rows
 * @throws AppError RECORD_BROKEN that names the first row that differs
 */
export async function compareTable(
  source: ReadableDb,
  target: ReadableDb,
  table: CopiedTable,
  { pageRows, onPage }: { readonly pageRows: number; readonly onPage: (rows: number) => void },
): Promise<number> {
  let rows = 0;
  for (let last: Row | null | undefined = null; last !== undefined;) {
    const wanted = await readPage(source, table, last, pageRows);
    const found = await readPage(target, table, last, pageRows);
    if (digestOf(wanted) !== digestOf(found)) throw differenceIn(table, wanted, found);
    rows += wanted.length;
    onPage(rows);
    last = isLastPage(table, wanted, pageRows) ? undefined : wanted.at(-1);
  }
  return rows;
}

function digestOf(page: readonly Row[]): string {
  const hash = createHash("sha256");
  for (const row of page) hash.update(canonical(row)).update("\n");
  return hash.digest("hex");
}

/** Text that is equal for equal rows, independent of column order: numbers, texts, bytes and null stay distinct. */
function canonical(row: Row): string {
  const columns = Object.entries(row).sort(([one], [other]) => (one < other ? -1 : 1));
  return JSON.stringify(columns.map(([name, value]) => [name, canonicalValue(value)]));
}

function canonicalValue(value: unknown): unknown {
  if (Buffer.isBuffer(value)) return { bytes: value.toString("base64") };
  return typeof value === "number" && !Number.isFinite(value) ? { number: String(value) } : value;
}

function differenceIn(table: CopiedTable, wanted: readonly Row[], found: readonly Row[]): AppError {
  const at = Array.from({ length: Math.max(wanted.length, found.length) }, (_, index) => index);
  const first = at.find((index) => canonical(wanted[index] ?? {}) !== canonical(found[index] ?? {})) ?? 0;
  const [one, other] = [wanted[first], found[first]];
  const name = nameOfRow(table, one ?? other ?? {});
  if (one === undefined || other === undefined || nameOfRow(table, other) !== name)
    return copyDiffers(`the rows differ from ${name} on`);
  const columns = Object.keys(one).filter(
    (column) => JSON.stringify(canonicalValue(one[column])) !== JSON.stringify(canonicalValue(other[column])),
  );
  return copyDiffers(`${name} differs in ${columns.join(", ")}`);
}

export function copyDiffers(difference: string): AppError {
  return new AppError(
    "RECORD_BROKEN",
    `The copy differs from its source: ${difference}. Copy again into an empty target.`,
  );
}
