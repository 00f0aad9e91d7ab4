import { beforeEach, expect, test } from "vitest";
import type { Reading } from "../../../core/contract/desktop/readings.ts";
import { useFilms } from "../../../renderer/state/films/films.ts";
import { useWrittenFindings, writtenOn } from "../../../renderer/state/films/written-findings.ts";
import { addFindings, forgetSaved, maxLetters } from "../../../renderer/viewer/findings/unsaved-findings.ts";
import { shownTexts } from "../../fixtures/page/shown-texts.ts";
import { clearToasts } from "../../fixtures/page/clear-toasts.ts";

const signed = (remark: string) => ({ source: "person", remark }) as Reading;
const type = (filmId: string, text: string) => useWrittenFindings.getState().write(filmId, text);
const onFilm = (filmId: string) => writtenOn(useWrittenFindings.getState(), filmId);

beforeEach(() => {
  clearToasts();
  useWrittenFindings.setState(useWrittenFindings.getInitialState());
  useFilms.setState({ ...useFilms.getInitialState(), openId: "bella", readings: [] });
});

test("appends a text block to the current findings of its film", () => {
  type("rex", "Of another film");
  type("bella", "Nervous dog, typed on");
  addFindings("bella", null, "VHS 10.5 v");
  expect(onFilm("bella")).toBe("Nervous dog, typed on\nVHS 10.5 v");
  useFilms.setState({ openId: "rex" });
  addFindings("bella", null, "VLAS 2.1 v");
  expect([onFilm("bella"), onFilm("rex")]).toEqual([
    "Nervous dog, typed on\nVHS 10.5 v\nVLAS 2.1 v",
    "Of another film",
  ]);
});

test("appends a text block to findings that were signed while it loaded", () => {
  useFilms.setState({ readings: [signed("Nervous dog")] });
  addFindings("bella", null, "VHS 10.5 v");
  expect(onFilm("bella")).toBe("Nervous dog\nVHS 10.5 v");
});

test("keeps text typed while findings were being saved", () => {
  type("bella", "Nervous dog");
  forgetSaved("bella", "Nervous");
  expect(onFilm("bella")).toBe("Nervous dog");
  forgetSaved("bella", "Nervous dog");
  expect(onFilm("bella")).toBeUndefined();
});

test("inserts a text block completely or not at all, with a message", () => {
  const almostAll = "n".repeat(maxLetters - 11);
  type("bella", almostAll);
  addFindings("bella", null, "VHS 10.5 v");
  expect(onFilm("bella")).toBe(`${almostAll}\nVHS 10.5 v`);
  addFindings("bella", null, "VLAS 2.1 v");
  expect(onFilm("bella")).toBe(`${almostAll}\nVHS 10.5 v`);
  expect(shownTexts()).toEqual(["Nothing inserted: findings are limited to 2,000 characters"]);
});
