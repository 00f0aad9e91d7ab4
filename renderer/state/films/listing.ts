import type { Film } from "../../../core/contract/desktop/films.ts";
import { call } from "../connection.ts";
import { isPlain, mergeInPlace, queryOf, withoutIds, type FilmFilters } from "./listed-films.ts";
import { beginningOf, missingIn, offsetOf, withPart, type Gap } from "./listed-gaps.ts";

export type ListState = {
  /** Loaded films; null until the first response. */
  readonly films: readonly Film[] | null;
  readonly gaps: readonly Gap[];
  readonly search: string;
  readonly filters: FilmFilters;
  readonly openId: string | null;
  /** Films whose removal is pending. */
  readonly hidden: ReadonlySet<string>;
  /** Number of matching films, loaded or not. */
  readonly total: number;
  /** Films that no longer match but stay listed while they are open or selected. */
  readonly unmatched: ReadonlySet<string>;
  readonly open: (filmId: string | null) => void;
};

/** Number of films in the first response; the rest of a long list is requested as it becomes visible. */
export const listedAtOnce = 200;
const maxConcurrent = 1000;

type Part = { readonly gap: Gap; readonly skipped: number };

export function createListing(set: (change: Partial<ListState>) => void, get: () => ListState) {
  /** Aborted when another list is requested, since a part belongs to one list. */
  let currentList = new AbortController();
  /** Films changed by events during a request, and therefore newer than its response; null if removed. */
  let changed: Map<string, Film | null> | null = null;
  let shownLists = 0;
  let listing: Promise<void> | null = null;
  let listingParts: Promise<void> | null = null;
  let wanted: Part | null = null;

  let shownFor: Pick<ListState, "search" | "filters"> | null = null;
  let listedFrom: string | undefined;

  const queryNow = () => queryOf(get().search, get().filters);
  const ask = async ({ gap, skipped }: Part, limit: number) => {
    const { signal } = currentList;
    const list = shownLists;
    const { films, gaps, unmatched } = get();
    const asked = Math.min(limit, gap.films - skipped);
    const offset = offsetOf({ films: films ?? [], gaps }, gap, unmatched) + skipped;
    const { films: part, total } = await call("films.list", { ...queryNow(), limit: asked, offset });
    const now = get().gaps.find(({ behind }) => behind === gap.behind);
    if (signal.aborted || list !== shownLists || !now) return;
    const left = withoutIds(get().unmatched, new Set(part.map(({ id }) => id)));
    const before = { films: get().films ?? [], gaps: get().gaps };
    const listed = withPart(before, now, { skipped, asked, part, total: total + left.size });
    set({ ...listed, total: listed.films.length + missingIn(listed.gaps), unmatched: left });
  };
  const askAlone = async (part: Part, limit: number) => {
    listing = ask(part, limit).finally(() => (listing = null));
    await listing;
  };
  /** Loads until nothing is wanted. Of the gaps wanted during a request, only the last is still visible and counts. */
  const askForWanted = async () => {
    while (wanted) {
      const { gap, skipped } = wanted;
      wanted = null;
      await listing;
      const now = get().gaps.find(({ behind }) => behind === gap.behind);
      if (now && skipped < now.films) await askAlone({ gap: now, skipped }, listedAtOnce);
    }
  };

  return {
    noteChange(filmId: string, film: Film | null): void {
      changed?.set(filmId, film);
    },
    async reload(kept: ReadonlySet<string>): Promise<void> {
      currentList.abort();
      const { signal } = (currentList = new AbortController());
      changed ??= new Map();
      const { search, filters } = get();
      const query = queryNow();
      listedFrom = query.takenFrom;
      // A scrolled list keeps its loaded length.
      const limit = Math.min(maxConcurrent, Math.max(listedAtOnce, get().films?.length ?? 0));
      const { films: listed, total } = await call("films.list", { ...query, limit });
      if (signal.aborted) return;
      const newer = changed;
      changed = null;
      const added = isPlain(get())
        ? [...newer.values()].filter((film) => film && !listed.some(({ id }) => id === film.id))
        : [];
      const found = [...added, ...listed.map((film) => (newer.has(film.id) ? newer.get(film.id) : film))].filter(
        (film) => film !== null && film !== undefined,
      );
      const isSameList = search === shownFor?.search && filters === shownFor.filters;
      const films = isPlain(get()) || !isSameList ? found : mergeInPlace(get().films ?? [], found, kept);
      shownFor = { search, filters };
      const unmatched = withoutIds(new Set(films.map(({ id }) => id)), new Set(found.map(({ id }) => id)));
      shownLists += 1;
      set({
        ...beginningOf(films, total + unmatched.size),
        total: Math.max(films.length, total + unmatched.size),
        unmatched,
      });
      const first = films.find(({ id }) => !get().hidden.has(id));
      if (!get().openId && first) get().open(first.id);
    },
    isOfAnotherDay(): boolean {
      return queryNow().takenFrom !== listedFrom;
    },
    /** Loads films of a gap, after its first `skipped` ones. */
    async part(gap: Gap, skipped: number): Promise<void> {
      wanted = { gap, skipped };
      // Parts load one after another, since the start of each depends on the previous one. A failure rejects only for
      // the first caller.
      if (listingParts) return listingParts.catch(() => undefined);
      listingParts = askForWanted().finally(() => (listingParts = wanted = null));
      await listingParts;
    },
    async all(): Promise<void> {
      for (let before = Infinity; missingIn(get().gaps) < before;) {
        await listing;
        before = missingIn(get().gaps);
        const [gap] = get().gaps;
        if (!gap) return;
        await askAlone({ gap, skipped: 0 }, maxConcurrent);
      }
    },
  };
}
