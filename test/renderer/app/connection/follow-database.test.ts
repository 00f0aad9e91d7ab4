import { setImmediate } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { DraftState } from "../../../../core/contract/desktop/practice/drafts.ts";
import { followDatabase } from "../../../../renderer/app/connection/follow-database.ts";
import { holdsUnsaved, useUnsaved } from "../../../../renderer/app/connection/unsaved.ts";
import { setConnection } from "../../../../renderer/state/connection.ts";
import { useAnnotations } from "../../../../renderer/state/drawing/annotations.ts";
import { useWrittenFindings } from "../../../../renderer/state/films/written-findings.ts";
import { useDrafts } from "../../../../renderer/state/upkeep/drafts.ts";
import { deferred } from "../../../fixtures/deferred.ts";

const there: DraftState = { isAway: false, isOnDrafts: false, films: 0 };
const away: DraftState = { ...there, isAway: true };
const drafting: DraftState = { ...away, isOnDrafts: true };

let calls: string[];
let isSaving: boolean;
let answering: Promise<void>;
let loads: number;
let end: () => void;
beforeEach(() => {
  calls = [];
  isSaving = true;
  answering = Promise.resolve();
  loads = 0;
  setConnection({
    kind: "browser",
    call: async (channel) => {
      calls.push(channel);
      if (channel === "annotations.save") await answering;
      if (channel === "annotations.save" && !isSaving)
        return { ok: false, code: "STORE_UNAVAILABLE", message: "away" } as never;
      return { ok: true, value: { versions: [] } } as never;
    },
    subscribe: () => () => undefined,
  });
  useDrafts.setState({ state: null });
  useWrittenFindings.setState({ byPerson: {}, personId: "" });
  useUnsaved.setState({ isGivenUp: false });
  end = followDatabase(() => (loads += 1));
  hear(there);
});
afterEach(() => end());

const hear = (state: DraftState) => useDrafts.getState().receive(state);
const findings = () => useWrittenFindings.getState();

test("the page goes over to drafts and back, and is loaded anew each time", () => {
  hear(away);
  expect(calls).toEqual(["drafts.begin"]);
  hear(drafting);
  expect(loads).toBe(1);
});

test("findings that are not saved keep the page, until they are gone", () => {
  findings().write("film", "half of a");
  hear(away);
  hear({ ...drafting });
  findings().write("film", "half of a sentence");
  expect([calls, loads, holdsUnsaved()]).toEqual([[], 0, true]);
  findings().forget(["film"]);
  expect(loads).toBe(1);
});

test("who says that they may go goes on with drafts; once the database is back they count again", () => {
  findings().write("film", "half of a");
  hear(away);
  useUnsaved.getState().giveUp();
  expect([calls, holdsUnsaved()]).toEqual([["drafts.begin"], false]);
  hear({ ...there });
  expect([loads, holdsUnsaved()]).toEqual([0, true]);
});

/** Draws a line on a film, which is saved at once. */
function draw(filmId: string): void {
  const frame = { widthPx: 100, heightPx: 80, corners: null };
  useAnnotations.getState().chooseTool("length");
  useAnnotations.getState().place(filmId, frame, { x: 10, y: 10 });
  useAnnotations.getState().place(filmId, frame, { x: 50, y: 50 });
}

test("a drawing whose saving is not answered yet keeps the page until it is", async () => {
  const answer = deferred();
  answering = answer.promise;
  draw("answered late");
  hear(away);
  expect([calls, holdsUnsaved()]).toEqual([["annotations.save"], true]);
  answer.resolve();
  await expect.poll(() => calls).toContain("drafts.begin");
});

test("a drawing that could not be kept keeps the page, and is kept once the database is back", async () => {
  isSaving = false;
  draw("film");
  await setImmediate();
  hear(away);
  expect([calls.filter((channel) => channel !== "annotations.save"), holdsUnsaved()]).toEqual([[], true]);
  isSaving = true;
  hear({ ...there });
  await expect.poll(holdsUnsaved).toBe(false);
  expect(calls.filter((channel) => channel === "annotations.save").length).toBeGreaterThanOrEqual(2);
});
