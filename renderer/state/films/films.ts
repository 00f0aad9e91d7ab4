import { create } from "zustand";
import type { Film, Reading } from "../../../core/contract/desktop/films.ts";
import { call, ProgramError } from "../connection.ts";
import { showFault } from "../faults.ts";
import { newestQuestion } from "../newest-question.ts";
import { isPlain, keptInPlace, nearestTo, placeAmong, without, type FilmFilters } from "./listed-films.ts";
import { beginningOf, missingIn, offsetOf, withoutFilms, withPart, type Gap } from "./listed-gaps.ts";
import { useSelection } from "./selection.ts";
import { noteTold, toldSince, toldSoFar } from "./told-films.ts";
import { createSending, type ChosenFile } from "../transfers/sent-files.ts";
import { useAnnotations } from "../drawing/annotations.ts";
import { useNavigation } from "../navigation.ts";
import { useWrittenFindings, writtenOn } from "./written-findings.ts";

type FilmsState = {
  /** Those that have been asked for; null until the first answer. */
  readonly films: readonly Film[] | null;
  /** Where the others of a long list lie. */
  readonly gaps: readonly Gap[];
  readonly search: string;
  readonly filters: FilmFilters;
  readonly openId: string | null;
  /** The open film, also while a search leaves it out of the list. */
  readonly opened: Film | null;
  /** Out of sight because they are about to be removed. */
  readonly hidden: ReadonlySet<string>;
  /** How many films match; more than are listed where the list is long. */
  readonly total: number;
  /** All versions of the open film's measurement, oldest first. */
  readonly readings: readonly Reading[];
  /** How many of the chosen files have been opened; null while none are being opened. */
  readonly opening: { readonly done: number; readonly all: number } | null;
  /** Films that are listed although they match no longer: the open one and selected ones, while they are. */
  readonly strays: ReadonlySet<string>;
  readonly load: () => Promise<void>;
  /** Lists what matches by now; the open film and selected ones stay where they are. */
  readonly refresh: () => Promise<void>;
  /** Lists films of a gap, behind its first `skipped` ones. */
  readonly listPart: (gap: Gap, skipped: number) => Promise<void>;
  readonly hide: (filmIds: readonly string[]) => void;
  readonly unhide: (filmIds: readonly string[]) => void;
  readonly setSearch: (search: string) => void;
  /** Changes some of them; undefined takes one away. */
  readonly setFilters: (change: FilmFilters) => void;
  /** Lists all there is. */
  readonly listAll: () => Promise<void>;
  readonly open: (filmId: string | null) => void;
  readonly loadReadings: () => Promise<void>;
  /** The same after an interruption: a film that was removed meanwhile is open no longer. */
  readonly reloadReadings: () => Promise<void>;
  readonly add: (files: readonly ChosenFile[], origin: "file" | "paste") => Promise<void>;
  /** Files that are not open yet are left alone. */
  readonly stopOpening: () => void;
  readonly receive: (film: Film) => void;
  readonly forget: (filmIds: readonly string[]) => void;
};

/** Films of one answer where somebody waits for the rows; the rest of a long list is asked for as it is seen. */
export const listedAtOnce = 200;
/** Films of one answer where all are wanted. */
const mostAtOnce = 1000;
let listing: Promise<void> | null = null;
let listingParts: Promise<void> | null = null;
let wantedPart: { readonly gap: Gap; readonly skipped: number } | null = null;

/** Films sent side by side; more would only fill the program's queue sooner. */
const parallelSends = 3;

const beginReadings = newestQuestion();
const beginList = newestQuestion();
/** Whether the list that was begun last is still the newest, and how many have been shown: a part is of one list. */
let isOfThisList = () => true;
let shownLists = 0;

function queryOf({ search, filters }: Pick<FilmsState, "search" | "filters">) {
  return { search, ...filters };
}

let openingNow = new AbortController();

/** Films come one after the other: they are one question [ms]. */
const lookEveryMs = 200;
let isLooking = false;

/** Asks for the list once for all films that come or change within a moment. */
function lookAgain(): void {
  if (isLooking) return;
  isLooking = true;
  setTimeout(() => {
    isLooking = false;
    useFilms.getState().refresh().catch(showFault);
  }, lookEveryMs);
}

/** The worklist and the film that is open. */
export const useFilms = create<FilmsState>((set, get) => ({
  films: null,
  gaps: [],
  search: "",
  filters: {},
  openId: null,
  opened: null,
  hidden: new Set(),
  total: 0,
  strays: new Set(),
  readings: [],
  opening: null,
  load: () => listAnew(set, get, new Set()),
  refresh: () => {
    const { openId } = get();
    return listAnew(set, get, new Set([...useSelection.getState().ids, ...(openId === null ? [] : [openId])]));
  },
  listPart: async (gap, skipped) => {
    wantedPart = { gap, skipped };
    // One part after the other: where the next one begins is known when the one before is there. Who asked for the
    // first one hears of a failure.
    if (listingParts) return listingParts.catch(() => undefined);
    listingParts = listWantedParts(set, get).finally(() => (listingParts = wantedPart = null));
    await listingParts;
  },
  hide: (filmIds) => {
    const hidden = new Set([...get().hidden, ...filmIds]);
    const { films, openId } = get();
    set({ hidden });
    if (openId && hidden.has(openId)) get().open(nearestTo(openId, idsOf(films ?? []), hidden));
  },
  unhide: (filmIds) => set({ hidden: new Set([...get().hidden].filter((id) => !filmIds.includes(id))) }),
  setSearch: (search) => {
    set({ search });
    get().load().catch(showFault);
  },
  setFilters: (change) => {
    set({ filters: { ...get().filters, ...change } });
    get().load().catch(showFault);
  },
  listAll: async () => {
    for (let before = Infinity; missingIn(get().gaps) < before;) {
      await listing;
      before = missingIn(get().gaps);
      const [gap] = get().gaps;
      if (!gap) return;
      listing = listPart(set, get, { gap, skipped: 0, limit: mostAtOnce }).finally(() => (listing = null));
      await listing;
    }
  },
  open: (openId) => {
    if (openId === get().openId) return;
    // Whoever opens a film that was just removed wants it back.
    if (openId && get().hidden.has(openId)) get().unhide([openId]);
    set({ openId, opened: get().films?.find(({ id }) => id === openId) ?? null, readings: [] });
    if (openId) get().loadReadings().catch(showFault);
    if (get().strays.size > 0) lookAgain();
  },
  loadReadings: async () => {
    const { openId } = get();
    const isNewest = beginReadings();
    if (!openId) return;
    const asked = toldSoFar();
    const { film, readings } = await call("films.get", { filmId: openId });
    if (!isNewest()) return;
    set({ readings });
    if (!toldSince(asked).has(openId)) get().receive(film);
  },
  reloadReadings: async () => {
    const { openId } = get();
    try {
      await get().loadReadings();
    } catch (error) {
      if (openId === null || !(error instanceof ProgramError && error.code === "NOT_FOUND")) throw error;
      get().forget([openId]);
      // It may have been counted among those that are listed, or not.
      await get().load();
    }
  },
  add: async (files, origin) => {
    const waiting = files.map((file, place) => ({ ...file, place }));
    const droppedMs = Date.now();
    // What is chosen while other files are being opened is counted and stopped with them.
    if (!get().opening) openingNow = new AbortController();
    const { signal } = openingNow;
    const sending = createSending({ origin, droppedMs }, signal);
    set(({ opening }) => ({ opening: { done: opening?.done ?? 0, all: (opening?.all ?? 0) + files.length } }));
    const sendNext = async (): Promise<Film | null> => {
      const file = waiting.shift();
      const films = file ? await sending.send(file) : [];
      if (file)
        set(({ opening }) => ({
          opening: opening && opening.done + 1 < opening.all ? { ...opening, done: opening.done + 1 } : null,
        }));
      // The answer tells how a film was when it was opened: what events have told since is newer.
      for (const film of films) if (!get().films?.some(({ id }) => id === film.id)) get().receive(film);
      get().unhide(films.map(({ id }) => id));
      return films[0] ?? null;
    };
    // The first film is opened as soon as it is there, before the others are sent.
    let first = await sendNext();
    while (!first && waiting.length > 0) first = await sendNext();
    if (first && !isInUse(get())) get().open(first.id);
    const sendRest = async (): Promise<void> => {
      while (waiting.length > 0) await sendNext();
    };
    await Promise.all(Array.from({ length: parallelSends }, sendRest));
    sending.showSummary();
  },
  stopOpening: () => openingNow.abort(),
  receive: (film) => {
    noteTold(film.id, film);
    const films = get().films ?? [];
    const known = films.find(({ id }) => id === film.id);
    if (known) set({ films: films.map((each) => (each.id === film.id ? film : each)) });
    else if (isPlain(get())) {
      const place = placeAmong(films, film);
      const before = films[place - 1]?.id ?? null;
      // One that lies among those that nobody has asked for is listed with them.
      if (!get().gaps.some(({ behind }) => behind === before))
        set({ films: films.toSpliced(place, 0, film), total: get().total + 1 });
    }
    // Whether it passes the filters now, and where it stands then, the program knows.
    if (!isPlain(get()) && JSON.stringify(film) !== JSON.stringify(known)) lookAgain();
    if (film.id !== get().openId) return;
    set({ opened: film });
    if (film.reading && film.reading.readingId !== get().readings.at(-1)?.id) get().loadReadings().catch(showFault);
  },
  forget: (filmIds) => {
    useWrittenFindings.getState().drop(filmIds);
    for (const id of filmIds) noteTold(id, null);
    const gone = new Set(filmIds);
    const total = get().total - filmIds.length;
    const rest = withoutFilms({ films: get().films ?? [], gaps: get().gaps }, gone, total);
    const { openId, films, hidden } = get();
    const out = new Set([...gone, ...hidden]);
    const next = openId && gone.has(openId) ? nearestTo(openId, idsOf(films ?? []), out) : openId;
    set({ ...rest, total: rest.films.length + missingIn(rest.gaps), strays: without(get().strays, gone) });
    get().unhide(filmIds);
    useSelection.getState().forget(filmIds);
    get().open(next);
  },
}));

useSelection.subscribe(() => {
  if (useFilms.getState().strays.size > 0) lookAgain();
});

function idsOf(films: readonly Film[]): string[] {
  return films.map(({ id }) => id);
}

/** Whether somebody is correcting the open film or writing on it: another one that comes waits in the list. */
function isInUse({ openId }: FilmsState): boolean {
  const isWritten = writtenOn(useWrittenFindings.getState(), openId ?? "") !== undefined;
  return isWritten || useNavigation.getState().guard !== null || useAnnotations.getState().typing !== null;
}

/** The list as the program has it now; `kept` are films that stay in their places. */
async function listAnew(
  set: (change: Partial<FilmsState>) => void,
  get: () => FilmsState,
  kept: ReadonlySet<string>,
): Promise<void> {
  const isNewest = beginList();
  isOfThisList = isNewest;
  const asked = toldSoFar();
  // A list that has been scrolled keeps what it shows.
  const limit = Math.min(mostAtOnce, Math.max(listedAtOnce, get().films?.length ?? 0));
  const { films: listed, total } = await call("films.list", { ...queryOf(get()), limit });
  if (!isNewest()) return;
  const newer = toldSince(asked);
  const added = isPlain(get())
    ? [...newer.values()].filter((film) => film && !listed.some(({ id }) => id === film.id))
    : [];
  const found = [...added, ...listed.map((film) => (newer.has(film.id) ? newer.get(film.id) : film))].filter(
    (film) => film !== null && film !== undefined,
  );
  const films = isPlain(get()) ? found : keptInPlace(get().films ?? [], found, kept);
  const strays = without(new Set(films.map(({ id }) => id)), new Set(found.map(({ id }) => id)));
  shownLists += 1;
  set({ ...beginningOf(films, total + strays.size), total: Math.max(films.length, total + strays.size), strays });
  const first = films.find(({ id }) => !get().hidden.has(id));
  if (!get().openId && first) get().open(first.id);
}

/** Parts until nothing is wanted; of those that were wanted meanwhile the last: the others are out of sight again. */
async function listWantedParts(set: (change: Partial<FilmsState>) => void, get: () => FilmsState): Promise<void> {
  while (wantedPart) {
    const { gap, skipped } = wantedPart;
    wantedPart = null;
    await listing;
    const now = get().gaps.find(({ behind }) => behind === gap.behind);
    if (!now || skipped >= now.films) continue;
    listing = listPart(set, get, { gap: now, skipped, limit: listedAtOnce }).finally(() => (listing = null));
    await listing;
  }
}

async function listPart(
  set: (change: Partial<FilmsState>) => void,
  get: () => FilmsState,
  { gap, skipped, limit }: { readonly gap: Gap; readonly skipped: number; readonly limit: number },
): Promise<void> {
  const isOfList = isOfThisList;
  const list = shownLists;
  const { films, gaps, strays } = get();
  const asked = Math.min(limit, gap.films - skipped);
  const offset = offsetOf({ films: films ?? [], gaps }, gap, strays) + skipped;
  const { films: part, total } = await call("films.list", { ...queryOf(get()), limit: asked, offset });
  const now = get().gaps.find(({ behind }) => behind === gap.behind);
  if (!isOfList() || list !== shownLists || !now) return;
  const left = without(get().strays, new Set(part.map(({ id }) => id)));
  const before = { films: get().films ?? [], gaps: get().gaps };
  const listed = withPart(before, now, { skipped, asked, part, total: total + left.size });
  set({ ...listed, total: listed.films.length + missingIn(listed.gaps), strays: left });
}

/** The open film's row. */
export function useOpenFilm(): Film | null {
  return useFilms(
    ({ films, openId, opened }) => films?.find(({ id }) => id === openId) ?? (opened?.id === openId ? opened : null),
  );
}
