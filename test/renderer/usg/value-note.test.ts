import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { afterEach, expect, test, vi } from "vitest";
import { usgFeatures, type FeatureKey } from "../../../core/usg/features.ts";
import { isTaken } from "../../../renderer/usg/units/units.ts";

afterEach(() => vi.unstubAllGlobals());

async function valueNoteIn(language: string) {
  vi.stubGlobal("navigator", { language });
  vi.resetModules();
  return (await import("../../../renderer/usg/value-note.ts")).useValueNote;
}

test("names the known units if another one was typed", async () => {
  const useValueNote = await valueNoteIn("de-DE");
  function Note({ feature, typed }: { readonly feature: FeatureKey; readonly typed: string }) {
    return useValueNote(feature, { text: typed, unit: 0 }, true).note;
  }
  const noteOf = (feature: FeatureKey, typed: string) =>
    renderToStaticMarkup(createElement(Note, { feature, typed })).replaceAll("\u00a0", " ");
  expect([noteOf("HGB", "abc"), noteOf("HGB", "7,4 g/kg"), noteOf("CREATININE", "15 mg/kg")]).toEqual([
    "Bitte eine Zahl eingeben",
    "Unbekannte Einheit; möglich: g/dL, g/L oder mmol/L",
    "Unbekannte Einheit; möglich: mg/dL, µmol/L, mg/L oder mmol/L",
  ]);
});

test.each([
  ["ABSOLUTE LYMPHOCYTES", { text: "0.03", unit: 1 }, "Implausible: expected 0.05–50 k/µL"],
  ["CREATININE", { text: "50.9", unit: 0, isStated: true }, "Implausible: expected 0.1–30 mg/dL"],
  ["CREATININE", { text: "140", unit: 0 }, "µmol/L"],
] as const)("reports %s %o as implausible in its unit or converted from another", async (feature, entry, said) => {
  const useValueNote = await valueNoteIn("en-GB");
  const Note = () => useValueNote(feature, entry, false).note;
  expect(renderToStaticMarkup(createElement(Note)).replaceAll("\u00a0", " ")).toContain(said);
});

test.each(usgFeatures.flatMap(({ key }) => [[key, 0] as const, [key, 1] as const]))(
  "allows the limits shown for %s, unit %i, and rejects values beyond them",
  async (key, unit) => {
    const useValueNote = await valueNoteIn("en-GB");
    const Note = () => useValueNote(key, { text: "999999999", unit, isStated: true }, false).note;
    const said = renderToStaticMarkup(createElement(Note)).replaceAll(",", "");
    const [from, to] = said.match(/[\d.]+/g)!.map(Number) as [number, number];
    const areTaken = [from, to, from * 0.9, to * 1.1].map((value) =>
      isTaken(key, { text: String(value), unit, isStated: true }),
    );
    expect([said, ...areTaken]).toEqual([said, true, true, false, false]);
  },
);
