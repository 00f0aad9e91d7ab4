import { AppError } from "../../../core/app-error.ts";
import type { ReadableDb } from "../connection.ts";
import { isLastPage, nameOfRow, readPage, type CopiedTable, type Row } from "./copied-tables.ts";

/** @returns number of rows @throws AppError RECORD_BROKEN that names the first difference */
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
    for (let at = 0; at < Math.max(wanted.length, found.length); at += 1) assertSame(table, wanted[at], found[at]);
    rows += wanted.length;
    onPage(rows);
    last = isLastPage(table, wanted, pageRows) ? undefined : wanted.at(-1);
  }
  return rows;
}

function assertSame(table: CopiedTable, wanted: Row | undefined, found: Row | undefined): void {
  const columns = wanted && found && Object.keys(wanted).filter((name) => textOf(wanted[name]) !== textOf(found[name]));
  if (columns?.length === 0) return;
  const name = nameOfRow(table, wanted ?? found ?? {});
  if (!columns || !found || nameOfRow(table, found) !== name) throw copyDiffers(`the rows differ from ${name} on`);
  throw copyDiffers(`${name} differs in ${columns.join(", ")}`);
}

/** Text that is equal for equal values: numbers, texts, bytes and null stay distinct. */
function textOf(value: unknown): string {
  if (Buffer.isBuffer(value)) return `bytes ${value.toString("base64")}`;
  return typeof value === "string" ? JSON.stringify(value) : String(value);
}

export function copyDiffers(difference: string): AppError {
  return new AppError(
    "RECORD_BROKEN",
    `The copy differs from its source: ${difference}. Copy again into an empty target.`,
  );
}
