const pageRows = 1000;

type PageQuery<Row> = { limit(rows: number): { execute(): Promise<readonly Row[]> } };

/** @param rowsAfter  query for the rows after a number (null: from the first one on), in the order of that number */
export async function* inPages<Row extends { readonly seq: number }>(
  rowsAfter: (seq: number | null) => PageQuery<Row>,
): AsyncGenerator<Row> {
  for await (const rows of pagesOf(rowsAfter)) yield* rows;
}

export async function* pagesOf<Row extends { readonly seq: number }>(
  rowsAfter: (seq: number | null) => PageQuery<Row>,
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
