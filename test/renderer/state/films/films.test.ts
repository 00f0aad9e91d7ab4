import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import type { Film } from "../../../../core/contract/desktop/films.ts";
import { answerCalls } from "../../../fixtures/page/answer-calls.ts";
import { queryClient } from "../../../../renderer/state/queries.ts";
import { useReaderMode } from "../../../../renderer/state/films/reader-mode.ts";
import { useSelection } from "../../../../renderer/state/films/selection.ts";
import { useFilms, worklistOf } from "../../../../renderer/state/films/films.ts";
import { useWrittenFindings } from "../../../../renderer/state/films/written-findings.ts";
import { shownToasts } from "../../../../renderer/ui/notes/toasts.ts";
import { inWords } from "../../../../renderer/ui/notes/words.ts";
import { sayIn } from "../../../../core/language/say.ts";
import { clearToasts } from "../../../fixtures/page/clear-toasts.ts";
import { shallow } from "zustand/shallow";

const film = (id: string, state: Film["state"]) =>
  ({ id, fileName: id, state, reading: null, urls: { rectified: null, pixels: null } }) as unknown as Film;
const chosen = (...names: readonly string[]) =>
  names.map((name) => ({ file: new File(["film"], name), isOfFolder: false }));
const states = () => Object.fromEntries((useFilms.getState().films ?? []).map(({ id, state }) => [id, state]));

beforeEach(() => {
  queryClient.clear();
  clearToasts();
  useFilms.setState({ ...useFilms.getInitialState(), films: [] });
  useSelection.getState().endPicking();
  answerCalls(() => ({ ok: true, value: { film: film("open", "done"), readings: [] } }));
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test("keeps changes from events while a ZIP is being opened", async () => {
  vi.stubGlobal("fetch", () => {
    useFilms.getState().receive(film("first", "done"));
    const films = ["first", "second"].map((id) => ({ film: film(id, "queued"), isNew: true }));
    return Promise.resolve(Response.json({ ok: true, value: { films, faults: [], leftAlone: [] } }));
  });
  await useFilms.getState().add(chosen("study.zip"), "file");
  expect(states()).toMatchObject({ first: "done", second: "queued" });
});

test("reports the progress of opening, and skips the remaining files when stopped", async () => {
  const seen: unknown[] = [];
  vi.stubGlobal("fetch", (_url: string, { signal }: RequestInit) => {
    const { opening, stopOpening } = useFilms.getState();
    seen.push([opening?.done, opening?.all]);
    if (seen.length === 2) stopOpening();
    signal?.throwIfAborted();
    return Promise.resolve(
      Response.json({
        ok: true,
        value: { films: [{ film: film(`film-${seen.length}`, "queued"), isNew: true }], faults: [], leftAlone: [] },
      }),
    );
  });
  await useFilms.getState().add(chosen("a", "b", "c", "d", "e"), "file");
  expect({
    seen,
    opened: Object.keys(states()).filter((id) => id.startsWith("film")),
    opening: useFilms.getState().opening,
  }).toEqual({
    seen: [
      [0, 5],
      [1, 5],
    ],
    opened: ["film-1"],
    opening: null,
  });
});

test("keeps changes from events that follow the request of a list", async () => {
  const list = Promise.withResolvers<unknown>();
  answerCalls(() => list.promise);
  useFilms.setState({ films: [film("measured", "measuring"), film("gone", "done")], openId: "measured" });
  const loading = useFilms.getState().load();
  useFilms.getState().receive(film("measured", "done"));
  useFilms.getState().receive(film("new", "queued"));
  useFilms.getState().forget(["gone"]);
  list.resolve({
    ok: true,
    value: { films: [film("measured", "measuring"), film("gone", "done"), film("other", "done")] },
  });
  await loading;
  expect(states()).toEqual({ new: "queued", measured: "done", other: "done" });
});

test("drops readings of an outdated request", async () => {
  const answers = [Promise.withResolvers<unknown>(), Promise.withResolvers<unknown>()];
  let asked = 0;
  answerCalls(() => answers[asked++]!.promise);
  useFilms.setState({ films: [film("open", "done")], openId: "open" });
  const [older, newer] = [useFilms.getState().loadReadings(), useFilms.getState().loadReadings()];
  const readings = (...ids: readonly string[]) => ({
    ok: true,
    value: {
      film: { ...film("open", "done"), reading: { readingId: ids.at(-1) } },
      readings: ids.map((id) => ({ id })),
    },
  });
  answers[1]!.resolve(readings("model", "corrected"));
  await newer;
  answers[0]!.resolve(readings("model"));
  await older;
  expect(useFilms.getState().readings.map(({ id }) => id)).toEqual(["model", "corrected"]);
});

test("unlists films that no longer match, the open and selected ones once they are left", async () => {
  let matching = ["a", "b", "c", "d"];
  answerCalls((channel, { filmId }: { readonly filmId?: string }) => ({
    ok: true,
    value:
      channel === "films.list"
        ? { films: matching.map((id) => film(id, "done")), total: matching.length }
        : { film: film(filmId!, "done"), readings: [] },
  }));
  useFilms.setState({ films: null, filters: { standing: "undecided" } });
  const { load, receive, open } = useFilms.getState();
  const listed = () => useFilms.getState().films?.map(({ id }) => id);
  await load();
  open("b");
  useSelection.getState().only("c");
  matching = ["d"];
  receive(film("a", "queued"));
  await expect.poll(listed).not.toContain("a");
  expect({ listed: listed(), total: useFilms.getState().total }).toEqual({ listed: ["b", "c", "d"], total: 3 });
  open("d");
  await expect.poll(listed).not.toContain("b");
  useSelection.getState().only("d");
  await expect.poll(listed).not.toContain("c");
  expect({ listed: listed(), total: useFilms.getState().total }).toEqual({ listed: ["d"], total: 1 });
});

/** Responds as a program with these films, each with these readings. */
function answerWith(films: () => readonly Film[], readings: () => readonly string[] = () => []) {
  const answer = (channel: string, { filmId }: { readonly filmId?: string }) => {
    if (channel === "films.list") return { ok: true, value: { films: films(), total: films().length } };
    const found = films().find(({ id }) => id === filmId);
    if (!found) return { ok: false, code: "NOT_FOUND", message: "" };
    return { ok: true, value: { film: found, readings: readings().map((id) => ({ id })) } };
  };
  answerCalls(answer);
}

test("moves a film that is added again after its image was deleted to the position of its new date", async () => {
  const again = { ...film("old", "done"), addedAt: "2026-12-02T09:00:00.000Z" };
  answerWith(() => [again, film("new", "done")]);
  useFilms.setState({ films: [film("new", "done"), film("old", "done")], openId: "new" });
  useFilms.getState().receive(again);
  await expect.poll(() => Object.keys(states())).toEqual(["old", "new"]);
});

test("opens the visible neighbour of a removed open film", async () => {
  let listed = ["a", "b", "c"].map((id) => film(id, "done"));
  answerWith(() => listed);
  const { load, open, hide, forget, refresh } = useFilms.getState();
  await load();
  open("b");
  hide(["b"]);
  expect(useFilms.getState().openId).toBe("c");
  hide(["c"]);
  expect(useFilms.getState().openId).toBe("a");
  forget(["a"]);
  listed = listed.slice(1);
  expect(useFilms.getState().openId).toBeNull();
  await refresh();
  expect(useFilms.getState().openId).toBeNull();
});

test("reports the removal of the open film by another window, and that its unsaved findings are lost", () => {
  const { open, forget, hide } = useFilms.getState();
  useFilms.setState({ films: ["own", "other", "edited", "left"].map((id) => film(id, "done")) });
  open("own");
  hide(["own"]);
  forget(["own"]);
  expect(shownToasts()).toEqual([]);
  forget(["other"]);
  useWrittenFindings.getState().write("edited", "Apex rounded");
  forget(["edited"]);
  expect(shownToasts().map(({ tone, words }) => [tone, inWords(words, sayIn("en"))])).toEqual([
    ["note", "other was removed from the worklist"],
    ["fault", "edited was removed from the worklist before your changes were saved"],
  ]);
  expect(useFilms.getState().openId).toBe("left");
});

test("deselects removed films", () => {
  useFilms.setState({ films: ["a", "b"].map((id) => film(id, "done")) });
  useSelection.getState().all(["a", "b"]);
  useFilms.getState().forget(["a"]);
  expect([...useSelection.getState().ids]).toEqual(["b"]);
});

test("opens the next film if the open one was removed during an interruption", async () => {
  let there = ["a", "b"].map((id) => film(id, "done"));
  answerWith(() => there);
  await useFilms.getState().load();
  there = [film("b", "done")];
  await useFilms.getState().load();
  await useFilms.getState().reloadReadings();
  const { openId, opened, total } = useFilms.getState();
  expect({ openId, opened: opened?.id, listed: Object.keys(states()), total }).toEqual({
    openId: "b",
    opened: "b",
    listed: ["b"],
    total: 1,
  });
});

test("loads readings on an event even if the list already contains the film", async () => {
  const read = (readingId: string) => ({ ...film("a", "done"), reading: { readingId } }) as Film;
  let ids = ["model"];
  answerWith(
    () => [read(ids.at(-1)!)],
    () => ids,
  );
  await useFilms.getState().load();
  const shown = () => useFilms.getState().readings.map(({ id }) => id);
  await expect.poll(shown).toHaveLength(1);
  ids = ["model", "corrected"];
  await useFilms.getState().load();
  useFilms.getState().receive(read("corrected"));
  await expect.poll(shown).toHaveLength(2);
});

test("loads only the last part requested during another load", async () => {
  const first = Promise.withResolvers<unknown>();
  const asked: unknown[] = [];
  answerCalls((_channel, { offset }: { readonly offset: number }) => {
    asked.push(offset);
    return asked.length === 1 ? first.promise : { ok: true, value: { films: [], total: 602 } };
  });
  const [above, below] = [
    { behind: "a", films: 300 },
    { behind: "b", films: 300 },
  ] as const;
  useFilms.setState({ films: [film("a", "done"), film("b", "done")], gaps: [above, below], total: 602 });
  const { listPart } = useFilms.getState();
  const parts = [listPart(above, 0), listPart(above, 200), listPart(below, 100)];
  first.resolve({ ok: true, value: { films: [film("c", "done")], total: 602 } });
  await Promise.all(parts);
  // Films a, b and c, the rest of the gap above, and the skipped films.
  expect(asked).toEqual([1, 3 + 100 + 100]);
});

test("reloads a list filtered by days on the next day", async () => {
  const asked: unknown[] = [];
  answerCalls((_channel, { takenFrom }: { readonly takenFrom?: string }) => {
    asked.push(takenFrom && new Date(takenFrom).toLocaleString("sv-SE"));
    return { ok: true, value: { films: [], total: 0 } };
  });
  vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-04-02T23:30:00") });
  const { setFilters, refreshOnNewDay } = useFilms.getState();
  setFilters({ takenWithinDays: 7 });
  await refreshOnNewDay();
  vi.setSystemTime(new Date("2026-04-03T00:01:00"));
  await refreshOnNewDay();
  await refreshOnNewDay();
  setFilters({ takenWithinDays: undefined });
  expect(asked).toEqual(["2026-03-27 00:00:00", "2026-03-28 00:00:00", undefined]);
  expect(useFilms.getState().filters.takenWithinDays).toBeUndefined();
});

test("keeps the open film in its list, but not in the list of other filters", async () => {
  const answers: (() => void)[] = [];
  answerCalls(
    () => new Promise((resolve) => answers.push(() => resolve({ ok: true, value: { films: [], total: 0 } }))),
  );
  const { setFilters, refresh } = useFilms.getState();
  const answered = async (reloading: Promise<void>) => {
    for (const answer of answers.splice(0)) answer();
    await reloading;
    return Object.keys(states());
  };
  setFilters({ standing: "undecided" });
  await answered(useFilms.getState().load());
  useFilms.setState({ films: [film("open", "done")], openId: "open" });
  expect(await answered(refresh())).toEqual(["open"]);
  setFilters({ standing: "unmeasured" });
  expect(await answered(refresh())).toEqual([]);
});

test("removes the filter by verdict and the order by tier in reader mode", () => {
  onTestFinished(() => useReaderMode.setState({ isOn: false }));
  answerCalls(() => ({ ok: true, value: { films: [], total: 0 } }));
  const { setFilters } = useFilms.getState();
  setFilters({ grade: "check", order: "tier", takenWithinDays: 7 });
  useReaderMode.setState({ isOn: true });
  expect(useFilms.getState().filters).toEqual({ takenWithinDays: 7 });
  useReaderMode.setState({ isOn: false });
  setFilters({ grade: "check", order: "patient" });
  useReaderMode.setState({ isOn: true });
  expect(useFilms.getState().filters).toEqual({ order: "patient", takenWithinDays: 7 });
});

test("renders the worklist once per step, and after the response only for a changed film", async () => {
  const films = Array.from({ length: 500 }, (_, index) => film(`film-${index}`, "done"));
  let state: Film["state"] = "done";
  answerCalls(() => ({ ok: true, value: { film: film("film-1", state), readings: [] } }));
  useFilms.setState({ films, openId: "film-0" });
  let redraws = 0;
  onTestFinished(
    useFilms.subscribe((now, before) => {
      if (!shallow(worklistOf(now), worklistOf(before))) redraws += 1;
    }),
  );
  useFilms.getState().open("film-1");
  await useFilms.getState().loadReadings();
  expect([redraws, useFilms.getState().films === films]).toEqual([1, true]);
  state = "failed";
  await useFilms.getState().loadReadings();
  expect(redraws).toBe(2);
  const changed = (useFilms.getState().films ?? []).filter((each, index) => each !== films[index]);
  expect(changed.map(({ id }) => id)).toEqual(["film-1"]);
});
