import { beforeEach, describe, expect, test } from "vitest";
import type { Point } from "../../../core/cardiac/points.ts";
import type { Film } from "../../../core/contract/desktop/films.ts";
import type { Reading } from "../../../core/contract/desktop/readings.ts";
import { AppError, because, failureOf } from "../../../core/app-error.ts";
import { emptyDraft, nextToPlace } from "../../../renderer/film/draft/draft.ts";
import { answerCalls } from "../../fixtures/page/answer-calls.ts";
import { useReaderMode } from "../../../renderer/state/films/reader-mode.ts";
import { useFilms } from "../../../renderer/state/films/films.ts";
import { useNavigation } from "../../../renderer/state/navigation.ts";
import { hasWaitingCorrection, useCorrection } from "../../../renderer/viewer/correction/correction-slice.ts";
import { saveAgain } from "../../../renderer/viewer/findings/save-again.ts";
import { isChanged } from "../../../renderer/viewer/correction/correction-state.ts";
import { useProgram } from "../../../renderer/state/program.ts";
import { stubAnimationFrames } from "../../fixtures/page/animation-frames.ts";
import { heartAt } from "../../fixtures/heart-at.ts";
import { clearToasts } from "../../fixtures/page/clear-toasts.ts";
import { shownTexts } from "../../fixtures/page/shown-texts.ts";
import { pointsAt } from "../../fixtures/points-at.ts";

const correction = () => useCorrection.getState();
const film = { picture: { frame: { widthPx: 1000, heightPx: 800 }, corners: null }, reading: null };
const bellaShown = { filmId: "bella", url: "bella.png" };
const rexShown = { filmId: "rex", url: "rex.png" };
function placeOnBella(): void {
  correction().turnTo("Dr Weber", bellaShown);
  correction().byHand(film);
  correction().place({ x: 200, y: 300 });
}
function correctAt(baseX: number, edges: readonly Point[]): void {
  const heart = heartAt([baseX, 20], [30, 75], [10, 50], [50, 50], [50, 20]);
  const frame = { widthPx: 200, heightPx: 100 };
  const reading = { id: "1", heart, edges, ruler: { edges, kind: "detected" }, frame, otherCount: null };
  correction().leave();
  correction().correct(reading as unknown as Reading, reading as unknown as Reading);
}

beforeEach(() => {
  clearToasts();
  useCorrection.setState(useCorrection.getInitialState());
  correction().byHand(film);
  correction().place({ x: 200, y: 300 });
});

test("skips the left atrium in one step, which can be undone and redone", () => {
  for (const y of [400, 450, 500]) correction().place({ x: 300, y });
  const asked = () => nextToPlace(correction().stack.present);
  const steps = [asked()];
  for (const step of ["skip", "undo", "redo", "reset"] as const) {
    correction()[step]();
    steps.push(asked());
  }
  expect(steps).toEqual(["VLAS", 0, "VLAS", 0, "heart_top"]);
});

test("records a held key as one step from its first press", () => {
  const placed = correction().stack.present;
  for (const isHeld of [false, true, true, true]) correction().nudge("heart_top", { x: 1, y: 0 }, isHeld);
  correction().nudge("heart_top", { x: 0, y: 1 });
  expect(correction().stack.present.heart.heart_top).toEqual({ x: 204, y: 301 });
  correction().undo();
  correction().undo();
  expect(correction().stack.present).toEqual(placed);
});

test("records a drag as one step, and a click as none, which keeps the redo history", () => {
  const placed = correction().stack.present;
  correction().startDrag("heart_top");
  for (const x of [210, 220, 230]) correction().dragTo({ x, y: 300 });
  correction().endDrag();
  const dragged = correction().stack.present;
  correction().undo();
  expect(correction().stack.present).toBe(placed);
  correction().startDrag("heart_top");
  correction().endDrag();
  correction().redo();
  expect(correction().stack.present).toBe(dragged);
});

test("ignores undo during a drag, and counts further dragging as a change", () => {
  const placed = correction().stack.present;
  correction().startDrag("heart_top");
  correction().dragTo({ x: 210, y: 300 });
  expect(useNavigation.getState().guard).not.toBeNull();
  correction().undo();
  correction().dragTo({ x: 230, y: 300 });
  correction().endDrag();
  expect(correction().stack.present.heart.heart_top).toEqual({ x: 230, y: 300 });
  expect([isChanged(correction()), useNavigation.getState().guard === null]).toEqual([true, false]);
  correction().undo();
  expect(correction().stack.present).toBe(placed);
});

test("does not count restoring an unmoved point or shifting too short a ruler as a change", () => {
  correctAt(30, pointsAt([0, 0], [10, 0], [20, 0]));
  for (const handle of ["heart_top", 1] as const) {
    correction().select(handle);
    correction().restore();
  }
  correction().shift("caudal");
  expect([isChanged(correction()), correction().stack.past, useNavigation.getState().guard]).toEqual([false, [], null]);
});

test("does not count moving a point beyond the film's border as a change, by key or pointer", () => {
  correctAt(-0.5, pointsAt([0, -0.5], [10, -0.5], [20, -0.5], [30, -0.5]));
  correction().nudge("heart_top", { x: -1, y: 0 });
  correction().nudge("heart_top", { x: -1, y: 0 }, true);
  correction().nudge(1, { x: 0, y: -10 });
  expect(correction().selected).toBe(1);
  correction().startDrag(2);
  correction().dragTo({ x: 20, y: -40 });
  correction().endDrag();
  expect([isChanged(correction()), correction().stack.past, useNavigation.getState().guard]).toEqual([false, [], null]);
  correction().nudge("heart_top", { x: 1, y: 0 });
  expect([isChanged(correction()), correction().stack.past.length]).toEqual([true, 1]);
});

test("counts steps beyond the undo history as a change, which can be reset", () => {
  for (let step = 0; step < 215; step += 1) correction().nudge("heart_top", { x: 1, y: 0 });
  for (let step = 0; step < 300; step += 1) correction().undo();
  expect(correction().stack.past).toEqual([]);
  expect([isChanged(correction()), useNavigation.getState().guard === null]).toEqual([true, false]);
  correction().reset();
  expect(correction().stack.present).toEqual(emptyDraft);
  expect([isChanged(correction()), useNavigation.getState().guard]).toEqual([false, null]);
});

test("keeps moved points for their picture and user only", () => {
  placeOnBella();
  const { stack } = correction();
  correction().turnTo("Dr Weber", bellaShown);
  expect(correction().stack).toBe(stack);
  correction().turnTo("Dr Sommer", bellaShown);
  expect([correction().mode, useNavigation.getState().guard, hasWaitingCorrection()]).toEqual(["none", null, true]);
  correction().turnTo("Dr Sommer", rexShown);
  correction().turnTo("Dr Weber", rexShown);
  expect(correction().mode).toBe("none");
  correction().turnTo("Dr Weber", bellaShown);
  expect([correction().mode, correction().stack, hasWaitingCorrection()]).toEqual(["by_hand", stack, false]);
  expect(useNavigation.getState().guard).not.toBeNull();
});

test("drops moved points when their user opens another picture", () => {
  placeOnBella();
  correction().turnTo("Dr Weber", rexShown);
  expect([correction().mode, hasWaitingCorrection()]).toEqual(["none", false]);
});

test("measures blind in reader mode only while the networks' reading is hidden", () => {
  const of = (source: "model" | "person") => ({ ...film, reading: { readingId: "r", source } as Film["reading"] });
  const isBlind = (source: "model" | "person") => {
    correction().byHand(of(source));
    return correction().isBlind;
  };
  expect(isBlind("model")).toBe(false);
  useReaderMode.setState({ isOn: true });
  expect([isBlind("model"), isBlind("person")]).toEqual([true, false]);
  useReaderMode.setState({ isOn: false });
});

test("sends the base reading of a manual measurement, so that a later one causes a conflict", async () => {
  const asked: object[] = [];
  answerCalls((channel, request: object) => {
    if (channel === "readings.save") asked.push(request);
    const film = { id: "bella", reading: { readingId: "own" } };
    return { ok: true, value: { film, reading: { id: "own" }, readings: [{ id: "own" }] } };
  });
  // The film has just been opened, so its readings are still loading.
  useFilms.setState({ ...useFilms.getInitialState(), openId: "bella", films: [], readings: [] });
  correction().byHand({ ...film, reading: { readingId: "proposed" } as Film["reading"] });
  const points = pointsAt([200, 100], [200, 500], [100, 300], [300, 300], [260, 200], [100, 50], [400, 50]);
  for (const point of points) correction().place(point);
  useFilms.setState({ readings: [{ id: "proposed" }, { id: "colleagues" }] as Reading[] });
  expect(await correction().save({ who: "Dr Weber", remark: "" })).toBe(true);
  expect(asked).toMatchObject([{ verdict: "by_hand", basedOn: "proposed" }]);
});

test("sends the heart's outline with findings that are saved again", async () => {
  const asked: object[] = [];
  answerCalls((_channel, request: object) => {
    asked.push(request);
    const film = { id: "bella", reading: { readingId: "own" } };
    return { ok: true, value: { film, reading: { id: "own" } } };
  });
  useFilms.setState({ ...useFilms.getInitialState(), openId: "bella", films: [], readings: [] });
  const placed = {
    heart: heartAt([200, 100], [210, 400], [100, 250], [300, 250], [250, 150]),
    edges: pointsAt([100, 50], [160, 50]),
    outline: pointsAt([100, 250], [200, 100], [300, 250]),
  };
  const reading = { ...film.picture, ...placed, verdict: "corrected" } as unknown as Reading;
  await saveAgain(reading, { who: "Dr Weber", remark: "" });
  expect(asked).toMatchObject([{ verdict: "corrected", geometry: placed }]);
});

test("drops points of a removed film", () => {
  placeOnBella();
  correction().turnTo("Dr Sommer", bellaShown);
  correction().drop(["rex"]);
  expect(hasWaitingCorrection()).toBe(true);
  correction().drop(["bella"]);
  expect(hasWaitingCorrection()).toBe(false);
});

describe("saving points", () => {
  const bella = {
    id: "proposed",
    heart: heartAt([100, 100], [200, 300], [100, 220], [220, 180], [150, 120]),
    edges: [50, 90, 130, 170, 210].map((x) => ({ x, y: 40 })),
    ruler: { edges: [], kind: "detected" },
    frame: { widthPx: 1000, heightPx: 800 },
    corners: pointsAt([10, 10], [90, 10], [90, 70], [10, 70]),
  } as unknown as Reading;
  const sent: object[] = [];
  const channels: string[] = [];
  const apex = () => correction().stack.present.heart.heart_bottom?.x;

  /** Saves a moved apex; the response contains Bella's film with the saved reading. */
  async function saveWhile(meanwhile: () => void, answer?: object): Promise<boolean> {
    useFilms.setState({ ...useFilms.getInitialState(), openId: "bella", films: [] });
    const film = { id: "bella", reading: { readingId: "saved" } };
    answerCalls((channel, request: object) => {
      channels.push(channel);
      if (channel === "readings.save") sent.push(request);
      if (channel === "readings.save") meanwhile();
      if (channel === "readings.save" && answer) return answer;
      return { ok: true, value: { film, reading: { id: "saved" }, readings: [{ id: "saved" }] } };
    });
    correction().correct(bella, null);
    correction().nudge("heart_bottom", { x: 5, y: 0 });
    return correction().save({ who: "Dr Weber", remark: "" });
  }

  test("sends their picture", async () => {
    await saveWhile(() => undefined);
    const { frame, corners } = bella;
    expect(sent.at(-1)).toMatchObject({ basedOn: "proposed", geometry: { frame, corners } });
  });

  test("uses the reading of the response, and loads nothing on its event", async () => {
    channels.length = 0;
    await saveWhile(() => useFilms.getState().receive({ id: "bella", reading: { readingId: "saved" } } as Film));
    expect(channels).toEqual(["readings.save"]);
    expect(useFilms.getState().readings).toEqual([{ id: "saved" }]);
  });

  test("ends the correction", async () => {
    expect(await saveWhile(() => undefined)).toBe(true);
    expect(correction().mode).toBe("none");
    expect(useNavigation.getState().guard).toBeNull();
  });

  test("continues from points that were moved during the save", async () => {
    expect(await saveWhile(() => correction().nudge("heart_bottom", { x: 7, y: 0 }))).toBe(true);
    expect([correction().mode, correction().basedOn, apex()]).toEqual(["correct", "saved", 212]);
    expect(useNavigation.getState().guard).not.toBeNull();
    correction().reset();
    expect(apex()).toBe(205);
  });

  test("continues after points were reverted during the save", async () => {
    await saveWhile(() => correction().undo());
    expect([correction().mode, apex(), correction().stack.past.length]).toEqual(["correct", 200, 1]);
  });

  test("drops the points if the screen was locked during the save", async () => {
    correction().turnTo("Dr Weber", bellaShown);
    expect(await saveWhile(() => correction().turnTo("", bellaShown))).toBe(true);
    correction().turnTo("Dr Weber", bellaShown);
    expect([correction().mode, hasWaitingCorrection()]).toEqual(["none", false]);
  });

  test("keeps a correction that was started during the save", async () => {
    await saveWhile(() => correction().byHand(film));
    expect([correction().mode, correction().basedOn]).toEqual(["by_hand", null]);
    expect(correction().stack.past).toEqual([]);
  });

  test("shows how to continue after a conflict, in the current language, until the points are saved", async () => {
    stubAnimationFrames();
    const conflict = { ok: false, ...failureOf(new AppError("CONFLICT", because("readingSuperseded"))) };
    await saveWhile(() => undefined, conflict);
    expect([correction().mode, shownTexts("de")]).toEqual([
      "correct",
      [
        "Inzwischen wurde eine andere Messung dieser Aufnahme gespeichert. Speichern Sie noch einmal, um beide zu behalten.",
      ],
    ]);
    expect(await saveWhile(() => undefined)).toBe(true);
    expect(shownTexts()).toEqual([]);
  });

  test("leaves after the save only without further changes", async () => {
    let hasLeft = false;
    useProgram.setState({ settings: { userName: "Dr Weber" } as never });
    const answerSave = async () => {
      useNavigation.getState().leave(() => (hasLeft = true));
      await useNavigation.getState().answer("save");
    };
    await saveWhile(() => correction().nudge("heart_bottom", { x: 7, y: 0 }));
    await answerSave();
    expect(hasLeft).toBe(false);
    expect(useNavigation.getState().pending).not.toBeNull();
    useNavigation.setState({ pending: null });
  });
});
