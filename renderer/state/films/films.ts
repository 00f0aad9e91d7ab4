import { CancelledError, replaceEqualDeep } from "@tanstack/react-query";
import { create } from "zustand";
import { useShallow } from "zustand/react/shallow";
import type { Film } from "../../../core/contract/desktop/films.ts";
import type { Reading } from "../../../core/contract/desktop/readings.ts";
import { ProgramError } from "../connection.ts";
import { showFault } from "../faults.ts";
import { channelQuery, queryClient } from "../queries.ts";
import { isPlain, nearestTo, positionInList, withoutIds, type FilmFilters } from "./listed-films.ts";
import { missingIn, withoutFilms, type Gap } from "./listed-gaps.ts";
import { createListing, type ListState } from "./listing.ts";
import { usePatients } from "../patients.ts";
import { useReaderMode } from "./reader-mode.ts";
import { useSelection } from "./selection.ts";
import { createSending, type ChosenFile } from "../transfers/sent-files.ts";
import { showToast } from "../../ui/notes/toasts.ts";
import { useAnnotations } from "../drawing/annotations.ts";
import { useNavigation } from "../navigation.ts";
import { useWrittenFindings, writtenOn } from "./written-findings.ts";

type FilmsState = ListState & {
  /** The open film, kept even if a search excludes it from the list. */
  readonly opened: Film | null;
  /** Id of the open film once it may be loaded: after it was drawn, or once the user stops stepping through films. */
  readonly settledId: string | null;
  /** All versions of the open film's measurement, oldest first. */
  readonly readings: readonly Reading[];
  /** Progress of opening the chosen files, and what stops it; null while none are being opened. */
  readonly opening: { readonly done: number; readonly all: number; readonly stop: AbortController } | null;
  readonly load: () => Promise<void>;
  /** Reloads the list; the open film and selected films keep their places. */
  readonly refresh: () => Promise<void>;
  readonly refreshOnNewDay: () => Promise<void>;
  readonly listPart: (gap: Gap, skipped: number) => Promise<void>;
  readonly hide: (filmIds: readonly string[]) => void;
  readonly unhide: (filmIds: readonly string[]) => void;
  readonly setSearch: (search: string) => void;
  /** Changes some filters; undefined removes a filter. */
  readonly setFilters: (change: FilmFilters) => void;
  readonly listAll: () => Promise<void>;
  readonly loadReadings: () => Promise<void>;
  readonly addReading: (film: Film, reading: Reading) => void;
  readonly reloadReadings: () => Promise<void>;
  readonly add: (files: readonly ChosenFile[], origin: "file" | "paste") => Promise<void>;
  readonly stopOpening: () => void;
  readonly receive: (film: Film) => void;
  readonly forget: (filmIds: readonly string[]) => void;
};

/** Number of parallel uploads; more would only fill the program's queue sooner. */
const parallelSends = 3;

/** Time within which changes of films cause a single refetch of the list [ms]. */
const refreshDelayMs = 200;
/** Films left sooner than this are not loaded [ms]. */
const steppingMs = 150;

export const useFilms = create<FilmsState>((set, get) => {
  const listing = createListing(set, get);
  let isRefreshScheduled = false;
  let openedAtMs = -Infinity;
  let settling: ReturnType<typeof setTimeout> | undefined;
  const scheduleRefresh = () => {
    if (isRefreshScheduled) return;
    isRefreshScheduled = true;
    setTimeout(() => {
      isRefreshScheduled = false;
      get().refresh().catch(showFault);
    }, refreshDelayMs);
  };
  /** Calls `load` once the film has been drawn, or after a pause while the user steps through films. */
  const whenSettled = (load: () => void) => {
    const isStepping = performance.now() - openedAtMs < steppingMs;
    openedAtMs = performance.now();
    clearTimeout(settling);
    settling = setTimeout(load, isStepping ? steppingMs : 0);
  };
  useSelection.subscribe(() => {
    if (get().unmatched.size > 0) scheduleRefresh();
  });
  return {
    films: null,
    gaps: [],
    search: "",
    filters: {},
    openId: null,
    opened: null,
    settledId: null,
    hidden: new Set(),
    total: 0,
    unmatched: new Set(),
    readings: [],
    opening: null,
    load: () => listing.reload(new Set()),
    refresh: () => {
      const { openId } = get();
      return listing.reload(new Set([...useSelection.getState().ids, ...(openId === null ? [] : [openId])]));
    },
    refreshOnNewDay: async () => {
      if (listing.isOfAnotherDay()) await get().refresh();
    },
    listPart: listing.part,
    hide: (filmIds) => {
      const hidden = new Set([...get().hidden, ...filmIds]);
      const { films, openId } = get();
      set({ hidden });
      if (openId && hidden.has(openId)) get().open(nearestTo(openId, idsOf(films ?? []), hidden));
    },
    unhide: (filmIds) => {
      const { hidden } = get();
      if (filmIds.some((id) => hidden.has(id))) set({ hidden: withoutIds(hidden, new Set(filmIds)) });
    },
    setSearch: (search) => {
      set({ search });
      get().load().catch(showFault);
    },
    setFilters: (change) => {
      set({ filters: { ...get().filters, ...change } });
      get().load().catch(showFault);
    },
    listAll: listing.all,
    open: (openId) => {
      if (openId === get().openId) return;
      // Opening a film that was just removed restores it.
      if (openId) get().unhide([openId]);
      set({ openId, opened: get().films?.find(({ id }) => id === openId) ?? null, readings: [] });
      whenSettled(() => {
        set({ settledId: get().openId });
        get()
          .loadReadings()
          // The viewer shows the failure in place of a film that is not listed.
          .catch((error: unknown) => openFilmOf(get()) && showFault(error));
      });
      if (get().unmatched.size > 0) scheduleRefresh();
    },
    loadReadings: async () => {
      const { openId } = get();
      if (!openId) return;
      const query = channelQuery("films.get", { filmId: openId });
      const before = openFilmOf(get());
      // A pending response may be older than the change that led here.
      void queryClient.cancelQueries({ queryKey: query.queryKey });
      try {
        const { film, readings } = await queryClient.fetchQuery(query);
        if (get().openId !== openId) return;
        set({ readings });
        // A film received during the request is newer than its response.
        if (openFilmOf(get()) === before) get().receive(film);
      } catch (error) {
        if (!(error instanceof CancelledError)) throw error;
      }
    },
    addReading: (film, reading) => {
      const { openId, readings } = get();
      if (openId === film.id && readings.at(-1)?.id !== reading.id) set({ readings: [...readings, reading] });
      get().receive(film);
      // Readings that are still being requested may lack the new one.
      const { queryKey } = channelQuery("films.get", { filmId: film.id });
      if (openId === film.id && queryClient.isFetching({ queryKey }) > 0) get().loadReadings().catch(showFault);
    },
    reloadReadings: async () => {
      const { openId } = get();
      try {
        await get().loadReadings();
      } catch (error) {
        if (openId === null || !(error instanceof ProgramError && error.code === "NOT_FOUND")) throw error;
        get().forget([openId]);
        // The film may not have been counted among the listed ones.
        await get().load();
      }
    },
    add: async (files, origin) => {
      const waiting = files.map((file, place) => ({ ...file, place }));
      const droppedMs = Date.now();
      // Files chosen during an import are counted and cancelled with it.
      const { done, all, stop } = get().opening ?? { done: 0, all: 0, stop: new AbortController() };
      const sending = createSending({ origin, droppedMs }, stop.signal);
      set({ opening: { done, all: all + files.length, stop } });
      const sendNext = async (): Promise<Film | null> => {
        const file = waiting.shift();
        const films = file ? await sending.send(file) : [];
        if (file)
          set(({ opening }) => ({
            opening: opening && opening.done + 1 < opening.all ? { ...opening, done: opening.done + 1 } : null,
          }));
        // Listed films have been updated by events since and are newer than the response.
        for (const film of films) if (!get().films?.some(({ id }) => id === film.id)) get().receive(film);
        get().unhide(films.map(({ id }) => id));
        return films[0] ?? null;
      };
      // Opens the first film once imported, before the other files are sent.
      let first = await sendNext();
      while (!first && waiting.length > 0) first = await sendNext();
      if (first && !isInUse(get())) get().open(first.id);
      const sendRest = async (): Promise<void> => {
        while (waiting.length > 0) await sendNext();
      };
      await Promise.all(Array.from({ length: parallelSends }, sendRest));
      sending.showSummary();
    },
    stopOpening: () => get().opening?.stop.abort(),
    receive: (received) => {
      const films = get().films ?? [];
      const known = films.find(({ id }) => id === received.id);
      // An unchanged film stays the same object, so that nothing is rendered again.
      const film = replaceEqualDeep(known, received);
      listing.noteChange(film.id, film);
      if (known && film !== known) set({ films: films.map((each) => (each === known ? film : each)) });
      else if (!known && isPlain(get())) {
        const place = positionInList(films, film);
        const before = films[place - 1]?.id ?? null;
        // A film inside a gap of the list is loaded with the gap.
        if (!get().gaps.some(({ behind }) => behind === before))
          set({ films: films.toSpliced(place, 0, film), total: get().total + 1 });
      }
      // Only the program can decide whether the film passes the filters, and at which position.
      const isMoved = known !== undefined && known.addedAt !== film.addedAt;
      if (film !== known && (isMoved || !isPlain(get()))) scheduleRefresh();
      if (film.id !== get().openId) return;
      set({ opened: film });
      const isSaving = queryClient.isMutating({ mutationKey: saveReadingKey(film.id) }) > 0;
      const shown = get().readings.at(-1);
      const shownId = shown?.takenBackBy === undefined ? shown?.id : undefined;
      // During a save, the reading arrives with the response.
      if (!isSaving && film.reading?.readingId !== shownId) get().loadReadings().catch(showFault);
    },
    forget: (filmIds) => {
      const gone = new Set(filmIds);
      const opened = openFilmOf(get());
      if (opened && gone.has(opened.id)) reportRemoval(opened, isInUse(get()));
      useWrittenFindings.getState().drop(filmIds);
      for (const id of filmIds) listing.noteChange(id, null);
      const total = get().total - filmIds.length;
      const rest = withoutFilms({ films: get().films ?? [], gaps: get().gaps }, gone, total);
      const { openId, films, hidden } = get();
      const out = new Set([...gone, ...hidden]);
      const next = openId && gone.has(openId) ? nearestTo(openId, idsOf(films ?? []), out) : openId;
      set({ ...rest, total: rest.films.length + missingIn(rest.gaps), unmatched: withoutIds(get().unmatched, gone) });
      get().unhide(filmIds);
      useSelection.getState().forget(filmIds);
      get().open(next);
    },
  };
});

// Reader mode hides the verdicts, which a filter or an order by verdict would reveal.
useReaderMode.subscribe(({ isOn }) => {
  const { filters, setFilters } = useFilms.getState();
  if (!isOn || (filters.grade === undefined && filters.order !== "tier")) return;
  setFilters({ grade: undefined, ...(filters.order === "tier" && { order: undefined }) });
});

function idsOf(films: readonly Film[]): string[] {
  return films.map(({ id }) => id);
}

/** Whether the open film is being corrected or annotated, or its findings edited; a new film is then not opened. */
function isInUse({ openId }: FilmsState): boolean {
  const isWritten = writtenOn(useWrittenFindings.getState(), openId ?? "") !== undefined;
  return isWritten || useNavigation.getState().guard !== null || useAnnotations.getState().typing !== null;
}

/** Names the open film that was removed elsewhere, since another film takes its place on the screen. */
function reportRemoval({ fileName: name, patient }: Film, isEdited: boolean): void {
  if (patient && patient.id === usePatients.getState().leavingId) return;
  if (isEdited) showToast("fault", (say) => say("films.openRemovedUnsaved", { name }));
  else showToast("note", (say) => say("films.openRemoved", { name }));
}

export function openFilmOf({ films, openId, opened }: FilmsState): Film | null {
  return films?.find(({ id }) => id === openId) ?? (opened?.id === openId ? opened : null);
}

export function worklistOf({ films, gaps, hidden, total, unmatched, search, filters, openId, opening }: FilmsState) {
  return { films, gaps, hidden, total, unmatched, search, filters, openId, opening };
}

/** State that the worklist renders; other changes, such as loaded readings, do not render it. */
export function useWorklist(): ReturnType<typeof worklistOf> {
  return useFilms(useShallow(worklistOf));
}

export function useOpenFilm(): Film | null {
  return useFilms(openFilmOf);
}

export function useSettledFilm(): Film | null {
  return useFilms((state) => (state.settledId === state.openId ? openFilmOf(state) : null));
}

export function saveReadingKey(filmId: string): readonly string[] {
  return ["readings.save", filmId];
}
