import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import type { Film, Reading } from "../../../core/contract/desktop/films.ts";
import { FindingsField } from "../../../renderer/viewer/findings/findings-field.tsx";
import { NotValidated } from "../../../renderer/viewer/results/not-validated.tsx";

const provenance = { isClinicallyValidated: true };
const measured = { id: "1", source: "model", verdict: null, score: { vhs: 10.4 }, heart: {}, provenance };
const readingOf = (said: object) => ({ ...measured, ...said }) as unknown as Reading;
const film = { id: "film", patient: null, dicom: null } as unknown as Film;

test("values of a measurement that was rejected cannot be put into the findings", () => {
  const isOffered = (said: object) => {
    const field = { film, reading: readingOf(said), original: null, text: "", onChange: () => undefined, onSave: null };
    return !/<button[^>]*disabled=""[^>]*>/.test(renderToStaticMarkup(createElement(FindingsField, field)));
  };
  expect([isOffered({}), isOffered({ verdict: "accepted" }), isOffered({ verdict: "rejected" })]).toEqual([
    true,
    true,
    false,
  ]);
});

test("a result says whether the pack that measured it is validated, whatever pack is in use", () => {
  const isWarned = (reading: Reading | null, original: Reading | null) =>
    renderToStaticMarkup(createElement(NotValidated, { reading, original })) !== "";
  const model = readingOf({});
  const own = { id: "2", source: "person", provenance: null };
  expect([
    isWarned(model, null),
    isWarned(readingOf({ provenance: { isClinicallyValidated: false } }), null),
    isWarned(readingOf({ ...own, verdict: "corrected" }), model),
    isWarned(readingOf({ ...own, verdict: "by_hand" }), model),
  ]).toEqual([false, true, false, true]);
});
