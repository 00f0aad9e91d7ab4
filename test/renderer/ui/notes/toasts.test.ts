import { toast } from "sonner";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { afterNote, pauseNotes } from "../../../../renderer/ui/notes/note-time.ts";
import { stubAnimationFrames } from "../../../fixtures/page/animation-frames.ts";
import { settleToasts, showToast, shownToasts } from "../../../../renderer/ui/notes/toasts.ts";

beforeEach(() => {
  vi.useFakeTimers();
  stubAnimationFrames();
  toast.dismiss();
});
afterEach(() => {
  vi.runAllTimers();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});
const shown = () => shownToasts().map(({ words }) => words);

test("keeps a fault until it is settled, closes notes after their time, and shows an equal message once", () => {
  const action = { label: "Undo", onChoose: () => undefined };
  showToast("fault", "The disk is full", { about: "DISK_FULL" });
  showToast("fault", "The disk is full", { about: "DISK_FULL" });
  showToast("note", "1 film removed", { action });
  showToast("note", "1 film removed", { action });
  expect(shown().toSorted()).toEqual(["1 film removed", "1 film removed", "The disk is full"]);
  vi.advanceTimersByTime(6000);
  expect(shown()).toEqual(["The disk is full"]);
  settleToasts("OFFLINE");
  expect(shown()).toEqual(["The disk is full"]);
  settleToasts("DISK_FULL");
  expect(shown()).toEqual([]);
});

test("pauses held notes, and gives them their full time afterwards", () => {
  const over = vi.fn();
  afterNote(over);
  vi.advanceTimersByTime(5000);
  pauseNotes(true);
  const begunMeanwhile = vi.fn();
  afterNote(begunMeanwhile);
  vi.advanceTimersByTime(60_000);
  expect(over).not.toHaveBeenCalled();
  pauseNotes(false);
  vi.advanceTimersByTime(5999);
  expect([over, begunMeanwhile].map(({ mock }) => mock.calls.length)).toEqual([0, 0]);
  vi.advanceTimersByTime(1);
  expect([over, begunMeanwhile].map(({ mock }) => mock.calls.length)).toEqual([1, 1]);
});

test("does not run a cancelled note", () => {
  const done = vi.fn();
  afterNote(done)();
  vi.runAllTimers();
  expect(done).not.toHaveBeenCalled();
});
