import { setImmediate } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Health } from "../../../../core/contract/desktop/program.ts";
import { reloadOnDatabaseChange } from "../../../../renderer/app/connection/reload-on-database-change.ts";
import { hasUnsavedInput, useUnsaved } from "../../../../renderer/app/connection/unsaved.ts";
import { answerCalls } from "../../../fixtures/page/answer-calls.ts";
import { useDatabase } from "../../../../renderer/state/database.ts";
import { useAnnotations } from "../../../../renderer/state/drawing/annotations.ts";
import { useWrittenFindings } from "../../../../renderer/state/films/written-findings.ts";
import { useProgram } from "../../../../renderer/state/program.ts";
import { markTyped } from "../../../../renderer/ui/fields/typed-input.ts";
import { useUsg } from "../../../../renderer/usg/usg-slice.ts";

let calls: string[];
let isSaving: boolean;
let answering: Promise<unknown>;
let loads: number;
let end: () => void;
beforeEach(() => {
  calls = [];
  isSaving = true;
  answering = Promise.resolve();
  answerCalls(async (channel) => {
    calls.push(channel);
    if (channel === "annotations.save") await answering;
    if (channel === "annotations.save" && !isSaving)
      return { ok: false, code: "STORE_UNAVAILABLE", message: "away" } as never;
    return { ok: true, value: { versions: [] } } as never;
  });
  useWrittenFindings.setState({ byPerson: {}, personId: "" });
  useUnsaved.setState({ isDiscarded: false });
  load({ isAway: false });
});
afterEach(() => end());

function load({ isAway }: { readonly isAway: boolean }): void {
  end?.();
  loads = 0;
  useProgram.setState({ health: null });
  useDatabase.setState({ isShownAway: null });
  end = reloadOnDatabaseChange(() => (loads += 1));
  report({ isAway });
}

function report({ isAway }: { readonly isAway: boolean }): void {
  const troubles = isAway ? [{ code: "STORE_UNAVAILABLE", message: "" }] : [];
  useProgram.setState({ health: { troubles } as unknown as Health });
}
const findings = () => useWrittenFindings.getState();

test("reloads once when the database becomes unreachable, and once when it is reachable again", () => {
  report({ isAway: true });
  report({ isAway: true });
  expect(loads).toBe(1);
  load({ isAway: true });
  report({ isAway: true });
  expect(loads).toBe(0);
  report({ isAway: false });
  expect(loads).toBe(1);
});

test("does not reload a page with unsaved findings until they are discarded", () => {
  findings().write("film", "half of a");
  report({ isAway: true });
  findings().write("film", "half of a sentence");
  expect([loads, hasUnsavedInput()]).toEqual([0, true]);
  findings().forget(["film"]);
  expect(loads).toBe(1);
});

test("does not reload a page with unsaved findings when the database is back, until the user discards them", () => {
  load({ isAway: true });
  findings().write("film", "half of a");
  report({ isAway: false });
  expect([loads, hasUnsavedInput()]).toEqual([0, true]);
  useUnsaved.getState().discard();
  expect(loads).toBe(1);
});

test("does not reload a page with unscreened laboratory values or input in an open form", () => {
  useUsg.getState().setEntry("CREATININE", { text: "2.4", unit: 0 });
  markTyped("patient", true);
  report({ isAway: true });
  expect([loads, hasUnsavedInput()]).toEqual([0, true]);
  markTyped("patient", false);
  expect([loads, hasUnsavedInput()]).toEqual([0, true]);
  useUsg.getState().clear();
  expect([loads, hasUnsavedInput()]).toEqual([1, false]);
});

function draw(filmId: string): void {
  const frame = { widthPx: 100, heightPx: 80, corners: null };
  useAnnotations.getState().chooseTool("length");
  useAnnotations.getState().place(filmId, frame, { x: 10, y: 10 });
  useAnnotations.getState().place(filmId, frame, { x: 50, y: 50 });
}

test("does not reload a page with an annotation until the response to its saving", async () => {
  const answer = Promise.withResolvers<null>();
  answering = answer.promise;
  draw("answered late");
  report({ isAway: true });
  expect([calls, hasUnsavedInput(), loads]).toEqual([["annotations.save"], true, 0]);
  answer.resolve(null);
  await expect.poll(() => loads).toBe(1);
});

test("keeps an annotation that could not be saved, and saves it when the database is back", async () => {
  isSaving = false;
  draw("film");
  await setImmediate();
  report({ isAway: true });
  expect([loads, hasUnsavedInput()]).toEqual([0, true]);
  isSaving = true;
  report({ isAway: false });
  await expect.poll(hasUnsavedInput).toBe(false);
  expect(loads).toBe(0);
  expect(calls.filter((channel) => channel === "annotations.save").length).toBeGreaterThanOrEqual(2);
});
