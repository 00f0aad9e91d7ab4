import type { Film } from "../../../core/contract/desktop/films.ts";
import type { DesktopRequest } from "../../../core/contract/desktop.ts";

export type FilmFilters = Pick<DesktopRequest<"films.list">, "standing" | "grade" | "patientId" | "order"> & {
  /** Number of days including today, counted back from the day of the request. */
  readonly takenWithinDays?: number | undefined;
};

export function queryOf(search: string, filters: FilmFilters): DesktopRequest<"films.list"> {
  const { takenWithinDays, ...others } = filters;
  return { search, ...others, ...(takenWithinDays !== undefined && { takenFrom: startOf(takenWithinDays) }) };
}

/** Start of the first of the given number of days, the last of which is today. */
function startOf(days: number): string {
  const day = new Date();
  day.setHours(0, 0, 0, 0);
  day.setDate(day.getDate() - (days - 1));
  return day.toISOString();
}

/** Whether the list is unfiltered and in order of addition, so that a film's position is known without a request. */
export function isPlain({ search, filters }: { readonly search: string; readonly filters: FilmFilters }): boolean {
  const { order = "added", ...others } = filters;
  return search === "" && order === "added" && Object.values(others).every((value) => value === undefined);
}

/** Position of a film: newest first; films dropped together in the order of the drop. */
export function positionInList(films: readonly Film[], film: Film): number {
  const at = films.findIndex((other) => other.addedAt < film.addedAt || isBehind(other, film));
  return at < 0 ? films.length : at;
}

function isBehind(other: Film, { addedAt, place }: Film): boolean {
  return other.addedAt === addedAt && other.place > place;
}

/**
 * Merges a newer response. Films in `kept` are in use: they stay behind the same film, even if the response lacks them.
 */
export function mergeInPlace(before: readonly Film[], answer: readonly Film[], kept: ReadonlySet<string>): Film[] {
  const newer = new Map(answer.map((film) => [film.id, film]));
  const behind = new Map<string | null, Film[]>();
  const staying = new Set<string>();
  let last: string | null = null;
  for (const film of before) {
    if (kept.has(film.id)) {
      staying.add(film.id);
      behind.set(last, [...(behind.get(last) ?? []), newer.get(film.id) ?? film]);
    } else if (newer.has(film.id)) last = film.id;
  }
  const others = answer.filter(({ id }) => !staying.has(id));
  return [...(behind.get(null) ?? []), ...others.flatMap((film) => [film, ...(behind.get(film.id) ?? [])])];
}

/** Row to open or focus after a removal: the next below, else above; the first if the removed row is not listed. */
export function nearestTo(id: string, order: readonly string[], gone: ReadonlySet<string>): string | null {
  const at = order.indexOf(id);
  const isLeft = (other: string) => !gone.has(other);
  return order.slice(at + 1).find(isLeft) ?? order.slice(0, Math.max(0, at)).findLast(isLeft) ?? null;
}

export function withoutIds(ids: ReadonlySet<string>, others: ReadonlySet<string>): ReadonlySet<string> {
  return new Set([...ids].filter((id) => !others.has(id)));
}
