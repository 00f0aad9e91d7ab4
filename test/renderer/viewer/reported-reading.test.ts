import { QueryClientProvider } from "@tanstack/react-query";
import { Tooltip } from "radix-ui";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, onTestFinished, test, vi } from "vitest";
import type { Film } from "../../../core/contract/desktop/films.ts";
import type { Reading } from "../../../core/contract/desktop/readings.ts";
import { queryClient } from "../../../renderer/state/queries.ts";
import { FindingsField } from "../../../renderer/viewer/findings/findings-field.tsx";
import { heartAt } from "../../fixtures/heart-at.ts";
import { NotValidated } from "../../../renderer/viewer/results/not-validated.tsx";

const provenance = { isClinicallyValidated: true };
const measured = { id: "1", source: "model", verdict: null, score: { vhs: 10.4 }, heart: {}, provenance };
const readingOf = (said: object) => ({ ...measured, ...said }) as unknown as Reading;
const film = {
  ...{ id: "film", patient: null, dicom: null, urls: { rectified: null } },
  takenAt: "2026-11-20T08:00:00.000Z",
} as unknown as Film;

test("offers no values of a rejected reading for the findings", () => {
  const isOffered = (said: object) => {
    const field = { film, reading: readingOf(said), original: null, text: "", onChange: () => undefined, onSave: null };
    return !/<button[^>]*disabled=""[^>]*>/.test(renderToStaticMarkup(createElement(FindingsField, field)));
  };
  expect([isOffered({}), isOffered({ verdict: "accepted" })]).toEqual([true, true]);
  expect(isOffered({ verdict: "rejected" })).toBe(false);
});

test("states the validation of the reading's own pack, whichever pack is active", () => {
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

test("shows no score without a VHS, and no values of a rejected reading", async () => {
  const style = { setProperty: () => undefined, removeProperty: () => undefined };
  vi.stubGlobal("document", { documentElement: { style } });
  vi.stubGlobal("getComputedStyle", () => ({ fontSize: "16px", getPropertyValue: () => "1" }));
  onTestFinished(() => void vi.unstubAllGlobals());
  // The panes read their sizes from the page when their module is loaded.
  const { ResultPanel } = await import("../../../renderer/viewer/results/result-panel.tsx");
  const axes = { longAxisVertebrae: 5.2, shortAxisVertebrae: 4.9, axesAngleDeg: 90, areAxesPerpendicular: true };
  const kept = {
    ...{ heart: heartAt([100, 100], [200, 300], [100, 220], [220, 180], [150, 120]), ruler: null, votes: [] },
    ...{ frame: { widthPx: 1000, heightPx: 800 }, reviewReasons: [], resultCode: 1, tier: "good", otherCount: null },
    intervals: { coverage: 0.8, vhs: null, vlas: { low: 2.16, high: 2.97 } },
  };
  const told = (said: object) => {
    const reading = readingOf({ ...kept, score: { ...axes, vhs: 10.4, vlas: 2.57 }, ...said });
    const panel = createElement(ResultPanel, { film, reading, original: null });
    const markup = renderToStaticMarkup(
      createElement(QueryClientProvider, { client: queryClient }, createElement(Tooltip.Provider, null, panel)),
    );
    return ["10.4", "2.6", "2.2–3.0", "above the range", "5.2"].filter((part) => markup.includes(part));
  };
  expect([
    told({}),
    told({ resultCode: 5, score: { ...axes, vhs: null, vlas: 2.57 } }),
    told({ verdict: "rejected", source: "person" }),
  ]).toEqual([["10.4", "2.6", "2.2–3.0", "above the range", "5.2"], ["5.2"], []]);
});
