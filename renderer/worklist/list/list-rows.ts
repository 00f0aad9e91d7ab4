import { listedAtOnce } from "../../state/films/listing.ts";
import type { Gap, Listed } from "../../state/films/listed-gaps.ts";
import { entriesOf, type FilmGroup, type ListEntry } from "../study-groups.ts";

/** An unloaded row, after the first `skipped` films of a gap. */
export type MissingRow = { readonly kind: "missing"; readonly gap: Gap; readonly skipped: number };

/** Rows of a list of any length: films, headings, and one for each unloaded film. */
export type ListRows = {
  readonly count: number;
  at(row: number): ListEntry | MissingRow | undefined;
  /** Row of a film; -1 if it is not listed. */
  rowOf(filmId: string): number;
  /** The unloaded row between two films that is nearest to the first; null if all are loaded. */
  missingBetween(fromId: string, toId: string): MissingRow | null;
};

/** Lays out the list; a study is placed at its first film. @param groups  groups of the films shown */
export function layRows({ films, gaps }: Listed, groups: readonly FilmGroup[]): ListRows {
  const entries: ListEntry[] = [];
  /** Number of rows up to the end of a film's study. */
  const endOf = new Map<string, number>();
  for (const group of groups) {
    entries.push(...entriesOf(group));
    for (const { id } of group.films) endOf.set(id, entries.length);
  }
  const entryOf = new Map(entries.flatMap(({ films: [film] }, index) => (film ? [[film.id, index] as const] : [])));
  const gapBehind = new Map(gaps.map((gap) => [gap.behind, gap]));
  const places: { readonly gap: Gap; readonly entries: number; readonly row: number }[] = [];
  let begun = 0;
  let missing = 0;
  const place = (gap: Gap | undefined) => {
    if (!gap) return;
    places.push({ gap, entries: begun, row: begun + missing });
    missing += gap.films;
  };
  place(gapBehind.get(null));
  if (gaps.length > 0)
    for (const { id } of films) {
      begun = Math.max(begun, endOf.get(id) ?? 0);
      place(gapBehind.get(id));
    }
  const at = (row: number): ListEntry | MissingRow | undefined => {
    const before = places.findLast((each) => each.row <= row);
    if (!before) return entries[row];
    const skipped = row - before.row;
    if (skipped < before.gap.films) return { kind: "missing", gap: before.gap, skipped };
    return entries[before.entries + skipped - before.gap.films];
  };
  const rowOf = (filmId: string): number => {
    const index = entryOf.get(filmId) ?? -1;
    const before = places.findLast((each) => each.entries <= index);
    return before ? before.row + before.gap.films + index - before.entries : index;
  };
  return {
    count: entries.length + missing,
    at,
    rowOf,
    missingBetween: (fromId, toId) => {
      const [from, to] = [rowOf(fromId), rowOf(toId)];
      if (from < 0 || to < 0) return null;
      const down = places.find(({ row }) => row > from && row < to);
      if (down) return { kind: "missing", gap: down.gap, skipped: 0 };
      const up = places.findLast(({ row }) => row < from && row > to);
      return up ? { kind: "missing", gap: up.gap, skipped: up.gap.films - 1 } : null;
    },
  };
}

/** Number of films loaded before the wanted row, for scrolling back. */
const filmsBefore = 48;

/** Number of films of a gap to skip, so that the loaded part contains a row. */
export function beginOfPart({ gap, skipped }: MissingRow): number {
  return Math.max(0, Math.min(skipped - filmsBefore, gap.films - listedAtOnce));
}

/** Unloaded rows within this distance of the rendered ones are loaded in advance. */
const rowsAhead = 48;

/** Row to load next: a rendered one, else one slightly below or above; null if all are loaded. */
export function nextMissingRow(rows: ListRows, first: number, last: number): MissingRow | null {
  const along = (from: number, to: number): MissingRow | null => {
    for (let row = from; row !== to; row += Math.sign(to - from)) {
      const found = rows.at(row);
      if (found?.kind === "missing") return found;
    }
    return null;
  };
  return along(first, last + 1) ?? along(last + 1, last + 1 + rowsAhead) ?? along(first - 1, first - 1 - rowsAhead);
}
