import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Film } from "../../../core/contract/desktop/films.ts";
import type { PersonSession } from "../../../core/contract/desktop/practice/people.ts";
import { answerCalls } from "../../fixtures/page/answer-calls.ts";
import { useFilms } from "../../../renderer/state/films/films.ts";
import { usePeople } from "../../../renderer/state/people.ts";
import { stubAnimationFrames } from "../../fixtures/page/animation-frames.ts";
import { removeWithUndo } from "../../../renderer/worklist/selection/removal.ts";

const film = (id: string) => ({ id, fileName: id, reading: null, urls: {} }) as unknown as Film;
const sessionOf = (id: string) =>
  ({ isOn: true, me: { id }, language: "en", locale: "en-GB", theme: "dark" }) as unknown as PersonSession;
let removed: unknown[];
let asked: string[];

beforeEach(() => {
  vi.useFakeTimers();
  stubAnimationFrames();
  vi.stubGlobal("document", { documentElement: { dataset: {} } });
  [removed, asked] = [[], []];
  answerCalls((channel, request: unknown) => {
    asked.push(channel);
    if (channel === "films.remove") removed.push(request);
    if (channel.startsWith("session.")) return { ok: true, value: sessionOf("sommer") };
    return { ok: true, value: { film: film("a"), readings: [] } };
  });
  useFilms.setState({ ...useFilms.getInitialState(), films: [film("a"), film("b")], total: 2, openId: "a" });
  usePeople.setState({ session: sessionOf("weber") });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("removes a film once the time for undo has passed", async () => {
  removeWithUndo(["a"]);
  expect(useFilms.getState()).toMatchObject({ openId: "b", hidden: new Set(["a"]) });
  await vi.runAllTimersAsync();
  expect(removed).toEqual([{ filmIds: ["a"] }]);
});

test("keeps a film that is opened again during its removal", async () => {
  removeWithUndo(["a"]);
  useFilms.getState().open("a");
  await vi.runAllTimersAsync();
  expect(useFilms.getState()).toMatchObject({ openId: "a", hidden: new Set() });
  expect(removed).toEqual([]);
});

test("removes a film before the screen is locked or another user signs in", async () => {
  removeWithUndo(["a"]);
  await usePeople.getState().lock();
  usePeople.setState({ session: sessionOf("weber") });
  removeWithUndo(["b"]);
  await usePeople.getState().signIn("sommer", "1234");
  await vi.runAllTimersAsync();
  expect(asked.filter((channel) => /session|remove/.test(channel))).toEqual([
    "films.remove",
    "session.lock",
    "films.remove",
    "session.signIn",
  ]);
  expect(removed).toEqual([{ filmIds: ["a"] }, { filmIds: ["b"] }]);
});

test("cancels a removal if the session ends elsewhere", async () => {
  removeWithUndo(["a"]);
  usePeople.setState({ session: sessionOf("sommer") });
  await vi.runAllTimersAsync();
  expect(useFilms.getState().hidden).toEqual(new Set());
  expect(removed).toEqual([]);
});
