import type { Film } from "../../../core/contract/desktop/films.ts";

/** Films of the list that are not loaded: their number, and the film before them (null at the start of the list). */
export type Gap = { readonly behind: string | null; readonly films: number };

export type Listed = { readonly films: readonly Film[]; readonly gaps: readonly Gap[] };

export function missingIn(gaps: readonly Gap[]): number {
  return gaps.reduce((sum, { films }) => sum + films, 0);
}

export function beginningOf(films: readonly Film[], total: number): Listed {
  return { films, gaps: real([{ behind: films.at(-1)?.id ?? null, films: total - films.length }]) };
}

/** Number of matching films before a gap; `unmatched` films are not counted. */
export function offsetOf({ films, gaps }: Listed, gap: Gap, unmatched: ReadonlySet<string>): number {
  const before = films.slice(0, placeBehind(films, gap.behind)).filter(({ id }) => !unmatched.has(id)).length;
  return before + missingIn(gaps.slice(0, gaps.indexOf(gap)));
}

/**
 * Fills part of a gap.
 *
 * @param part   films after the first `skipped` ones of the gap: `asked`, or fewer at the end of the list
 * @param total  length of the whole list, from the same response
 */
export function withPart(
  { films, gaps }: Listed,
  gap: Gap,
  { skipped, asked, part, total }: { skipped: number; asked: number; part: readonly Film[]; total: number },
): Listed {
  const known = new Set(films.map(({ id }) => id));
  const found = part.filter(({ id }) => !known.has(id));
  const listed = films.toSpliced(placeBehind(films, gap.behind), 0, ...found);
  const rest = gap.films - skipped - asked;
  const last = found.at(-1);
  const left = last
    ? [
        { behind: gap.behind, films: skipped },
        { behind: last.id, films: rest },
      ]
    : [{ behind: gap.behind, films: skipped + Math.max(0, rest) }];
  const at = gaps.indexOf(gap);
  return { films: listed, gaps: fitting(real(gaps.toSpliced(at, 1, ...left)), listed, total) };
}

/** Removes films from the list and sets its total; a gap behind a removed film moves to the film before it. */
export function withoutFilms({ films, gaps }: Listed, gone: ReadonlySet<string>, total: number): Listed {
  const behind = new Map(gaps.map((gap) => [gap.behind, gap.films]));
  const left = new Map<string | null, number>([[null, behind.get(null) ?? 0]]);
  let last: string | null = null;
  for (const { id } of films) {
    if (!gone.has(id)) last = id;
    left.set(last, (left.get(last) ?? 0) + (behind.get(id) ?? 0));
  }
  const others = films.filter(({ id }) => !gone.has(id));
  const moved = real([...left].map(([id, count]) => ({ behind: id, films: count })));
  return { films: others, gaps: fitting(moved, others, Math.max(others.length, total)) };
}

function placeBehind(films: readonly Film[], behind: string | null): number {
  return films.findIndex(({ id }) => id === behind) + 1;
}

/** Adjusts the last gap to the total, as films may have been added or removed since the gaps were counted. */
function fitting(gaps: readonly Gap[], films: readonly Film[], total: number): readonly Gap[] {
  const unseen = total - films.length - missingIn(gaps);
  const last = gaps.at(-1);
  if (unseen === 0) return gaps;
  if (!last || (unseen > 0 && last.behind !== films.at(-1)?.id))
    return real([...gaps, { behind: films.at(-1)?.id ?? null, films: unseen }]);
  return real(gaps.with(-1, { ...last, films: last.films + unseen }));
}

function real(gaps: readonly Gap[]): readonly Gap[] {
  return gaps.filter(({ films }) => films > 0);
}
