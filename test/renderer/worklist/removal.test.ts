import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Film } from "../../../core/contract/desktop/films.ts";
import { setConnection } from "../../../renderer/state/connection.ts";
import { useFilms } from "../../../renderer/state/films/films.ts";
import { stubAnimationFrames } from "../../fixtures/page/animation-frames.ts";
import { removeWithUndo } from "../../../renderer/worklist/selection/removal.ts";

const film = (id: string) => ({ id, fileName: id, reading: null, urls: {} }) as unknown as Film;
let removed: unknown[];

beforeEach(() => {
  vi.useFakeTimers();
  stubAnimationFrames();
  removed = [];
  const call = (channel: string, request: unknown) => {
    if (channel === "films.remove") removed.push(request);
    return Promise.resolve({ ok: true, value: { film: film("a"), readings: [] } }) as never;
  };
  setConnection({ kind: "browser", call, subscribe: () => () => undefined });
  useFilms.setState({ ...useFilms.getInitialState(), films: [film("a"), film("b")], total: 2, openId: "a" });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("a film is removed once the time to take it back is over", async () => {
  removeWithUndo(["a"]);
  expect(useFilms.getState()).toMatchObject({ openId: "b", hidden: new Set(["a"]) });
  await vi.runAllTimersAsync();
  expect(removed).toEqual([{ filmIds: ["a"] }]);
});

test("a film that is opened again during removal is kept", async () => {
  removeWithUndo(["a"]);
  useFilms.getState().open("a");
  await vi.runAllTimersAsync();
  expect(useFilms.getState()).toMatchObject({ openId: "a", hidden: new Set() });
  expect(removed).toEqual([]);
});
