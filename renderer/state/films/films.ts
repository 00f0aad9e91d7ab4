import { create } from "zustand";
import type { Film, Reading } from "../../../core/contract/desktop/films.ts";
import type { DesktopRequest } from "../../../core/contract/desktop.ts";
import { call } from "../connection.ts";
import { showFault } from "../faults.ts";
import { newestQuestion } from "../newest-question.ts";
import { createSending, type ChosenFile } from "../transfers/sent-files.ts";

/** Which films are listed besides the search, and in which order. */
export type FilmFilters = Pick<DesktopRequest<"films.list">, "standing" | "tier" | "takenFrom" | "patientId" | "order">;

type FilmsState = {
  /** null until the first answer. */
  readonly films: readonly Film[] | null;
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
  readonly load: () => Promise<void>;
  /** Lists more of a long list. */
  readonly listMore: () => Promise<void>;
  readonly hide: (filmIds: readonly string[]) => void;
  readonly unhide: (filmIds: readonly string[]) => void;
  readonly setSearch: (search: string) => void;
  /** Changes some of them; undefined takes one away. */
  readonly setFilters: (change: FilmFilters) => void;
  /** Lists all there is. */
  readonly listAll: () => Promise<void>;
  readonly open: (filmId: string | null) => void;
  readonly loadReadings: () => Promise<void>;
  readonly add: (files: readonly ChosenFile[], origin: "file" | "paste") => Promise<void>;
  /** Files that are not open yet are left alone. */
  readonly stopOpening: () => void;
  readonly receive: (film: Film) => void;
  readonly forget: (filmIds: readonly string[]) => void;
};

/** Films of one answer; the rest of a long list is asked for. */
const listedAtOnce = 200;
/** Films of one answer while a long list is scrolled. */
const mostAtOnce = 1000;
let isListing = false;

/** Films sent side by side; more would only fill the program's queue sooner. */
const parallelSends = 3;

const beginReadings = newestQuestion();
const beginList = newestQuestion();

/**
 * What was told last of each film, null of a removed one, and in which order: the answer to a question that was asked
 * before is older.
 */
const told = new Map<string, { readonly film: Film | null; readonly at: number }>();
let toldCount = 0;
const toldSince = (asked: number) =>
  new Map([...told].filter(([, { at }]) => at > asked).map(([id, { film }]) => [id, film]));

function queryOf({ search, filters }: Pick<FilmsState, "search" | "filters">) {
  return { search, ...filters };
}

/** Whether everything is listed as it was added: only then a film's place is known without asking. */
function isPlain({ search, filters }: Pick<FilmsState, "search" | "filters">): boolean {
  const { order = "added", ...others } = filters;
  return search === "" && order === "added" && Object.values(others).every((value) => value === undefined);
}

/** Newest first; films that were dropped together in the order of the drop. */
function placedAmong(films: readonly Film[], film: Film): Film[] {
  const at = films.findIndex((other) => other.addedAt < film.addedAt || isBehind(other, film));
  return films.toSpliced(at < 0 ? films.length : at, 0, film);
}

function isBehind(other: Film, { addedAt, place }: Film): boolean {
  return other.addedAt === addedAt && other.place > place;
}

let openingNow = new AbortController();

/** Films come one after the other: they are one question [ms]. */
const lookEveryMs = 200;
let isLooking = false;

/** Asks for the list once for all films that come within a moment. */
function lookForNew(load: () => Promise<void>): void {
  if (isLooking) return;
  isLooking = true;
  setTimeout(() => {
    isLooking = false;
    load().catch(showFault);
  }, lookEveryMs);
}

/** The worklist and the film that is open. */
export const useFilms = create<FilmsState>((set, get) => ({
  films: null,
  search: "",
  filters: {},
  openId: null,
  opened: null,
  hidden: new Set(),
  total: 0,
  readings: [],
  opening: null,
  load: async () => {
    const isNewest = beginList();
    const asked = toldCount;
    // A list that has been scrolled keeps what it shows.
    const limit = Math.min(mostAtOnce, Math.max(listedAtOnce, get().films?.length ?? 0));
    const { films: listed, total } = await call("films.list", { ...queryOf(get()), limit });
    if (!isNewest()) return;
    const newer = toldSince(asked);
    const added = isPlain(get())
      ? [...newer.values()].filter((film) => film && !listed.some(({ id }) => id === film.id))
      : [];
    const films = [...added, ...listed.map((film) => (newer.has(film.id) ? newer.get(film.id) : film))].filter(
      (film) => film !== null && film !== undefined,
    );
    set({ films, total });
    if (!get().openId && films[0]) get().open(films[0].id);
  },
  listMore: async () => {
    // One part after the other: the next question begins where the answer before ended.
    if (isListing) return;
    isListing = true;
    const isNewest = beginList();
    const { films: more, total } = await call("films.list", {
      ...queryOf(get()),
      limit: mostAtOnce,
      offset: get().films?.length ?? 0,
    }).finally(() => (isListing = false));
    if (!isNewest()) return;
    const listed = get().films ?? [];
    const known = new Set(listed.map(({ id }) => id));
    set({ films: [...listed, ...more.filter(({ id }) => !known.has(id))], total });
  },
  hide: (filmIds) => {
    const hidden = new Set([...get().hidden, ...filmIds]);
    const { films, openId } = get();
    set({ hidden });
    if (openId && hidden.has(openId)) get().open(films?.find(({ id }) => !hidden.has(id))?.id ?? null);
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
    for (let before = -1; before !== get().films?.length && (get().films?.length ?? 0) < get().total;) {
      before = get().films?.length ?? 0;
      await get().listMore();
    }
  },
  open: (openId) => {
    if (openId === get().openId) return;
    set({ openId, opened: get().films?.find(({ id }) => id === openId) ?? null, readings: [] });
    if (openId) get().loadReadings().catch(showFault);
  },
  loadReadings: async () => {
    const { openId } = get();
    const isNewest = beginReadings();
    if (!openId) return;
    const asked = toldCount;
    const { film, readings } = await call("films.get", { filmId: openId });
    if (!isNewest()) return;
    set({ readings });
    if (!toldSince(asked).has(openId)) get().receive(film);
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
      return films[0] ?? null;
    };
    // The first film is opened as soon as it is there, before the others are sent.
    let first = await sendNext();
    while (!first && waiting.length > 0) first = await sendNext();
    if (first) get().open(first.id);
    const sendRest = async (): Promise<void> => {
      while (waiting.length > 0) await sendNext();
    };
    await Promise.all(Array.from({ length: parallelSends }, sendRest));
    sending.showSummary();
  },
  stopOpening: () => openingNow.abort(),
  receive: (film) => {
    told.set(film.id, { film, at: ++toldCount });
    const films = get().films ?? [];
    const known = films.find(({ id }) => id === film.id);
    if (known) set({ films: films.map((each) => (each.id === film.id ? film : each)) });
    else if (isPlain(get())) set({ films: placedAmong(films, film), total: get().total + 1 });
    // Whether it passes the filters, and where it stands then, the program knows.
    else lookForNew(() => get().load());
    if (film.id === get().openId) set({ opened: film });
    const isNewReading = film.id === get().openId && film.reading?.readingId !== get().readings.at(-1)?.id;
    if (isNewReading && film.reading && film.reading.readingId !== known?.reading?.readingId)
      get().loadReadings().catch(showFault);
  },
  forget: (filmIds) => {
    for (const id of filmIds) told.set(id, { film: null, at: ++toldCount });
    const rest = (get().films ?? []).filter(({ id }) => !filmIds.includes(id));
    const isOpenGone = filmIds.includes(get().openId ?? "");
    set({ films: rest, total: Math.max(rest.length, get().total - filmIds.length) });
    get().unhide(filmIds);
    if (isOpenGone) get().open(rest[0]?.id ?? null);
  },
}));

/** The open film's row. */
export function useOpenFilm(): Film | null {
  return useFilms(
    ({ films, openId, opened }) => films?.find(({ id }) => id === openId) ?? (opened?.id === openId ? opened : null),
  );
}
