import { AppError, reasonInEnglish } from "../../../core/app-error.ts";
import type { ReadableDb, WritableDb } from "../connection.ts";
import { transaction, unsyncedTransaction } from "../engines/engine.ts";
import { readHead, type RecordHead } from "../ledger/record-anchor.ts";
import { codeOfFault } from "../ledger/ledger-verification.ts";
import { verifyRecord, type RecordVerification } from "../record/record-verification.ts";
import { compareTable, copyDiffers } from "./compare-rows.ts";
import {
  copiedTables,
  countRows,
  insertRows,
  isLastPage,
  nameOfRow,
  readLastKey,
  readPage,
  type CopiedTable,
  type Row,
} from "./copied-tables.ts";
import { readGivenNumbers, continueNumbers } from "./given-numbers.ts";
import { beginCopy, finishCopy, type CopyPlace, type CopyTarget } from "./unfinished-copy.ts";

export type CopyProgress = {
  readonly step: "copying" | "comparing";
  readonly table: CopiedTable | "filmImages";
  readonly rows: number;
  readonly ofRows: number;
};

export type CopyOrder = {
  /** `head`: head of the record as noted outside the store; null without a note. */
  readonly source: CopyPlace & { readonly head: RecordHead | null };
  readonly target: CopyTarget;
  /** Copies film images, which either side may keep in files; runs before the copy becomes a store. */
  readonly copyImages?: () => Promise<void>;
  readonly onProgress?: (progress: CopyProgress) => void;
  readonly pageRows?: number;
};

/** SQLite binds at most 32,766 values per statement; a measurement has 35. */
const rowsOfPage = 500;

/**
 * Copies a store into an empty one, compares both row by row and verifies the record of the copy. The caller excludes
 * other writers. An interrupted copy resumes after its last committed rows.
 *
 * @throws AppError LEDGER_BROKEN or RECORD_BROKEN if the source does not verify or the copy differs, CONFLICT if the
 *   target has other content or refuses a row, STORE_BUSY
 */
export function copyStore(order: CopyOrder) {
  const { source, target, copyImages, pageRows = rowsOfPage, onProgress = () => undefined } = order;
  return transaction(source.db, async () => {
    assertIntact(await verifyRecord(source.db, source.head), source.place);
    await beginCopy(source, target);
    for (const table of copiedTables) await copyTable(source.db, target.db, table, { pageRows, onProgress });
    await copyImages?.();
    const given = await readGivenNumbers(source.db);
    await transaction(target.db, () => continueNumbers(target.db, given));
    const rows = await compareTables(source.db, target.db, { pageRows, onProgress });
    const isSame = JSON.stringify([...(await readGivenNumbers(target.db))]) === JSON.stringify([...given]);
    if (!isSame) throw copyDiffers("the last assigned row numbers differ");
    const record = await verifyRecord(target.db, await readHead(source.db, Date.now()));
    assertIntact(record, target.place);
    await finishCopy(target.db);
    return { rows, record };
  });
}

function assertIntact({ fault }: RecordVerification, place: string): void {
  if (fault === null) return;
  throw new AppError(codeOfFault(fault), `${place}: ${reasonInEnglish(fault.problem)}`);
}

type Steps = { readonly pageRows: number; readonly onProgress: (progress: CopyProgress) => void };

async function copyTable(
  source: ReadableDb,
  target: WritableDb,
  table: CopiedTable,
  { pageRows, onProgress }: Steps,
): Promise<void> {
  const ofRows = await countRows(source, table);
  let rows = await countRows(target, table);
  for (let last: Row | null | undefined = await readLastKey(target, table); last !== undefined;) {
    const page = await readPage(source, table, last, pageRows);
    if (page.length > 0) await writePage(target, table, page);
    rows += page.length;
    onProgress({ step: "copying", table, rows, ofRows });
    last = isLastPage(table, page, pageRows) ? undefined : page.at(-1);
  }
}

/** After a refusal, writes the rows singly to name the refused one. */
async function writePage(target: WritableDb, table: CopiedTable, page: readonly Row[]): Promise<void> {
  const write = (rows: readonly Row[]) => unsyncedTransaction(target, () => insertRows(target, table, rows));
  try {
    await write(page);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    for (const row of page)
      await write([row]).catch((refusal: unknown) => {
        throw isRefusal(refusal) ? refused(table, row, refusal) : refusal;
      });
  }
}

/** Whether a row was refused for its content: U+0000 in a text, a check, a key or a trigger. */
function isRefusal(error: unknown): boolean {
  return (
    error instanceof Error && "code" in error && /^(INVALID_FIELD|SQLITE_CONSTRAINT|2[23])/.test(String(error.code))
  );
}

function refused(table: CopiedTable, row: Row, cause: unknown): AppError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new AppError("CONFLICT", `The target refuses ${nameOfRow(table, row)}: ${why}`, { cause });
}

async function compareTables(source: ReadableDb, target: ReadableDb, { pageRows, onProgress }: Steps): Promise<number> {
  let total = 0;
  for (const table of copiedTables) {
    const ofRows = await countRows(source, table);
    const onPage = (rows: number) => onProgress({ step: "comparing", table, rows, ofRows });
    total += await compareTable(source, target, table, { pageRows, onPage });
  }
  return total;
}
