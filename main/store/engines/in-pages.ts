/** Rows of a page: few enough to hold, so many that asking costs little. */
const pageRows = 1000;

type Question<Row> = { limit(rows: number): { execute(): Promise<readonly Row[]> } };

/**
 * Every row of an answer of any length, asked for in pages.
 *
 * @param rowsAfter  the question for the rows behind a number (null: from the first one on), in the order of that number
 */
export async function* inPages<Row extends { readonly seq: number }>(
  rowsAfter: (seq: number | null) => Question<Row>,
): AsyncGenerator<Row> {
  for await (const rows of pagesOf(rowsAfter)) yield* rows;
}

/** The pages themselves, for who asks more about all rows of one. @see inPages */
export async function* pagesOf<Row extends { readonly seq: number }>(
  rowsAfter: (seq: number | null) => Question<Row>,
): AsyncGenerator<readonly Row[]> {
  let last: Row | undefined;
  do {
    const rows: readonly Row[] = await rowsAfter(last?.seq ?? null)
      .limit(pageRows)
      .execute();
    yield rows;
    last = rows.length < pageRows ? undefined : rows.at(-1);
  } while (last !== undefined);
}
