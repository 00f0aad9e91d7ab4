import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { afterNote, holdNotes } from "../../../../renderer/ui/notes/note-time.ts";
import { useToasts } from "../../../../renderer/ui/notes/toasts.tsx";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.runAllTimers();
  vi.useRealTimers();
});

test("a fault stays while notes come and go; of notes, those that can be undone stay longest", () => {
  const { show } = useToasts.getState();
  const action = { label: "Undo", onChoose: () => undefined };
  show("fault", "The disk is full");
  show("note", "1 film removed", { action });
  for (const words of ["Saved", "Sent", "Copied", "Printed"]) show("note", words);
  const shown = () => useToasts.getState().toasts.map((toast) => toast.words);
  expect(shown()).toEqual(["The disk is full", "1 film removed", "Copied", "Printed"]);
  for (let removed = 2; removed < 6; removed += 1) show("note", `${removed} films removed`, { action });
  expect(shown()).toEqual(["The disk is full", "3 films removed", "4 films removed", "5 films removed"]);
});

test("a note has its time on the screen while nobody points at it", () => {
  const over = vi.fn();
  afterNote(over);
  vi.advanceTimersByTime(5000);
  holdNotes(true);
  const begunMeanwhile = vi.fn();
  afterNote(begunMeanwhile);
  vi.advanceTimersByTime(60_000);
  expect(over).not.toHaveBeenCalled();
  holdNotes(false);
  vi.advanceTimersByTime(1000);
  expect([over, begunMeanwhile].map(({ mock }) => mock.calls.length)).toEqual([1, 0]);
  vi.advanceTimersByTime(5000);
  expect(begunMeanwhile).toHaveBeenCalledOnce();
});

test("what is taken back is not done", () => {
  const done = vi.fn();
  afterNote(done)();
  vi.runAllTimers();
  expect(done).not.toHaveBeenCalled();
});
