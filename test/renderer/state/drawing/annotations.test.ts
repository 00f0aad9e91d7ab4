import { beforeEach, expect, test } from "vitest";
import { AppError, because, failureOf } from "../../../../core/app-error.ts";
import type { Annotation } from "../../../../core/annotations/annotation-tools.ts";
import type { AnnotationSet } from "../../../../core/contract/desktop/annotations.ts";
import { answerCalls } from "../../../fixtures/page/answer-calls.ts";
import { useRemovals } from "../../../../renderer/state/films/removals.ts";
import { shownToasts } from "../../../../renderer/ui/notes/toasts.ts";
import { useAnnotations } from "../../../../renderer/state/drawing/annotations.ts";
import { drawnOn, setOn, shownDrawings } from "../../../../renderer/state/drawing/drawn-on.ts";
import { clearToasts } from "../../../fixtures/page/clear-toasts.ts";
import { shownTexts } from "../../../fixtures/page/shown-texts.ts";
import { pointsAt } from "../../../fixtures/points-at.ts";

const drawn = () => useAnnotations.getState();
const frame = { widthPx: 1000, heightPx: 800, corners: null };
const bella = "bella";
const at = (x: number) => [
  { x, y: 300 },
  { x: x + 100, y: 300 },
];
const present = () => drawn().films[bella]!.stack.present!;
const length = (): Annotation => present().annotations[0]!;

let kept: AnnotationSet[];
let isAway: boolean;

beforeEach(() => {
  clearToasts();
  kept = [];
  isAway = false;
  useAnnotations.setState(useAnnotations.getInitialState());
  answerCalls((channel, { set }: { readonly set?: AnnotationSet }) => {
    if (isAway) return { ok: false, ...failureOf(new AppError("STORE_UNAVAILABLE")) };
    if (set) kept.push(set);
    const versions = kept.map((each, index) => ({ version: index + 1, at: "", who: null, set: each }));
    return { ok: true, value: channel === "annotations.save" ? versions.at(-1) : { versions } };
  });
  drawn().chooseTool("length");
  for (const place of at(200)) drawn().place(bella, frame, place);
});

function drag(...places: readonly number[]): void {
  drawn().startMove(bella);
  for (const x of places) drawn().moveTo(bella, length().id, at(x));
}

test("records a drag as one step, and a click as none, which keeps the redo history", () => {
  const placed = present();
  drag(210, 220, 230);
  drawn().endMove(bella);
  const dragged = present();
  drawn().undo(bella);
  expect(present()).toBe(placed);
  drag();
  drawn().endMove(bella);
  drawn().redo(bella);
  expect(present()).toBe(dragged);
});

test("ignores undo during a drag, and keeps all earlier steps", () => {
  const placed = present();
  drag(210);
  drawn().undo(bella);
  drawn().moveTo(bella, length().id, at(230));
  drawn().endMove(bella);
  expect(length().points).toEqual(at(230));
  drawn().undo(bella);
  expect(present()).toBe(placed);
  drawn().undo(bella);
  expect(drawn().films[bella]!.stack.present).toBeNull();
});

test("stores an annotation removed during its drag once, and restores it at the dragged position", async () => {
  await expect.poll(() => kept.length).toBe(1);
  drag(210);
  drawn().remove(bella, length().id);
  drawn().endMove(bella);
  await expect.poll(() => drawn().behind()).toEqual([]);
  expect(kept.map(({ annotations }) => annotations.length)).toEqual([1, 0]);
  drawn().undo(bella);
  expect(length().points).toEqual(at(210));
});

test("does not restore an earlier removal by undo after a drawing", () => {
  useRemovals.getState().add(() => undefined);
  drag(210);
  expect(useRemovals.getState().undos).toEqual([]);
  useRemovals.getState().add(() => undefined);
  drawn().endMove(bella);
  drawn().undo(bella);
  expect(useRemovals.getState().undos).toHaveLength(1);
});

test("creates no calibration from points less than a pixel apart", () => {
  drawn().chooseTool("calibrate");
  drawn().place(bella, frame, { x: 100, y: 100 });
  drawn().place(bella, frame, { x: 100.7, y: 100 });
  expect([drawn().typing, drawn().drawing?.points.length]).toEqual([null, 1]);
  drawn().place(bella, frame, { x: 101, y: 100 });
  expect(drawn().typing?.kind).toBe("length");
});

test("rejects the first point of an annotation on a full film, with the reason", () => {
  const one = length();
  const annotations = Array.from({ length: 200 }, (_, index) => ({ ...one, id: String(index), points: at(index) }));
  drawn().restore(bella, { ...present(), annotations });
  drawn().chooseTool("arrow");
  drawn().place(bella, frame, { x: 10, y: 10 });
  expect([drawn().drawing, drawn().tool]).toEqual([null, null]);
  expect(shownTexts()).toEqual(["A film can have 200 annotations. Remove one to add another."]);
});

test("removes a note but keeps an arrow when its text is deleted; undo restores both", () => {
  const write = (id: string, text: string) => {
    drawn().type({ kind: "text", filmId: bella, id });
    drawn().write(bella, id, text);
  };
  const texts = () => present().annotations.map(({ tool, text }) => `${tool} ${text}`);
  for (const tool of ["arrow", "note"] as const) {
    drawn().chooseTool(tool);
    for (const place of tool === "arrow" ? at(500) : at(700).slice(0, 1)) drawn().place(bella, frame, place);
    write(present().annotations.at(-1)!.id, "Gas");
  }
  for (const { id } of present().annotations.slice(1)) write(id, " ");
  expect(texts()).toEqual(["length ", "arrow "]);
  drawn().undo(bella);
  drawn().undo(bella);
  expect(texts()).toEqual(["length ", "arrow Gas", "note Gas"]);
});

test("deselects an annotation that undo removes; redo restores it", () => {
  expect(drawn().selected).toMatchObject({ filmId: bella });
  drawn().undo(bella);
  expect(drawn().selected).toBeNull();
  drawn().redo(bella);
  expect(present().annotations).toHaveLength(1);
});

test("restarts an annotation that was begun on another picture, and records its picture", () => {
  const corners = pointsAt([10, 10], [900, 12], [890, 700], [12, 690]);
  drawn().chooseTool("length");
  drawn().place("rex", frame, { x: 10, y: 10 });
  for (const place of at(300)) drawn().place("rex", { ...frame, corners }, place);
  const set = drawn().films.rex!.stack.present!;
  expect([set.corners, set.annotations.map(({ points }) => points)]).toEqual([corners, [at(300)]]);
});

test("starts a new set for an annotation or calibration on another picture", () => {
  const cut = pointsAt([10, 10], [900, 12], [890, 700], [12, 690]);
  const former = { ...present(), frame: { widthPx: 500, heightPx: 700 }, corners: cut };
  const versions = [{ version: 1, at: "", who: null, set: former }];
  const stack = { past: [null], present: former, future: [] };
  const known = { versions, stack };
  useAnnotations.setState({ films: { rex: known, lola: known } });
  drawn().chooseTool("length");
  for (const place of at(300)) drawn().place("rex", frame, place);
  drawn().calibrate({ filmId: "lola", on: frame, points: at(300) }, 50);
  const kept = (filmId: string) => drawn().films[filmId]!.stack.present!;
  const onFile = { frame: { widthPx: 1000, heightPx: 800 }, corners: null };
  expect(kept("rex")).toMatchObject({ ...onFile, annotations: [{ points: at(300) }] });
  expect(kept("lola")).toMatchObject({ ...onFile, calibration: { lengthMm: 50 }, annotations: [] });
  drawn().undo("rex");
  expect(drawn().films.rex!.stack).toMatchObject({ past: [], present: null });
});

test("shows annotations on their picture only, and records the picture of new ones", () => {
  const before = present();
  const shown = { picture: { frame, corners: null } };
  const corners = pointsAt([10, 10], [900, 12], [890, 700], [12, 690]);
  const other = { picture: { frame: { widthPx: 700, heightPx: 900 }, corners } };
  expect([shownDrawings(before, shown), shownDrawings(before, other)]).toEqual([before, null]);
  expect(drawnOn(before, other, { widthPx: 350, heightPx: 450 })).toEqual({
    widthPx: 350,
    heightPx: 450,
    corners,
  });
  expect(setOn(frame, before)).toEqual(present());
});

test("does not show a rejected annotation as stored, even if it is the first one", async () => {
  const conflict = { ok: false, ...failureOf(new AppError("CONFLICT", because("pictureNotShown"))) };
  answerCalls((channel) => (channel === "annotations.save" ? conflict : { ok: true, value: { versions: [] } }));
  drawn().chooseTool("length");
  for (const place of at(200)) drawn().place("rex", frame, place);
  expect(drawn().films.rex!.stack.present?.annotations).toHaveLength(1);
  await expect.poll(() => drawn().films.rex!.stack.present).toBeNull();
  expect(drawn().behind()).toEqual([]);
});

test("keeps a note open that is stored during typing, and ignores an empty text", () => {
  drawn().chooseTool("note");
  drawn().place(bella, frame, { x: 500, y: 300 });
  const { id } = present().annotations.at(-1)!;
  const placed = present();
  drawn().writeOn(bella, id, " ");
  expect(present()).toBe(placed);
  drawn().writeOn(bella, id, "Gas ");
  expect([present().annotations.at(-1)!.text, drawn().typing]).toEqual(["Gas", { kind: "text", filmId: bella, id }]);
  const before = present();
  drawn().write(bella, id, "Gas");
  expect([present() === before, drawn().typing]).toEqual([true, null]);
});

test("keeps an unsaved annotation for its user; another one neither sees nor signs it", async () => {
  await expect.poll(() => drawn().behind()).toEqual([]);
  drawn().changePerson("weber");
  await drawn().load(bella);
  isAway = true;
  drag(210);
  drawn().endMove(bella);
  await expect.poll(() => shownToasts().length).toBe(1);
  drawn().changePerson(null);
  isAway = false;
  drawn().savePending();
  drawn().changePerson("sommer");
  drawn().savePending();
  await drawn().load(bella);
  expect([length().points, drawn().behind(), kept.length]).toEqual([at(200), [bella], 1]);
  drawn().changePerson("weber");
  await expect.poll(() => drawn().behind()).toEqual([]);
  expect(length().points).toEqual(at(210));
  expect(kept.map(({ annotations }) => annotations[0]?.points)).toEqual([at(200), at(210)]);
});
