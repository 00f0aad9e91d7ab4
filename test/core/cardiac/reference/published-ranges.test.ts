import { expect, it } from "vitest";
import { vhsRanges, vlasRanges } from "../../../../core/cardiac/reference/published-ranges.ts";
import type { ReferenceRange } from "../../../../core/cardiac/reference/reference-range.ts";

const written = (ranges: readonly ReferenceRange[]) =>
  ranges.map(({ breed, species, low, high }) => `${breed ?? species}: ${low ?? ""}–${high}`);

// These limits decide what is called enlarged: a change of one is made in both places, from the study.
it("limits VHS by breed [v]", () => {
  expect(written(vhsRanges)).toEqual([
    "dog: 8.5–10.5",
    "cat: 6.7–8.1",
    "american_eskimo_dog: 9.5–11.5",
    "american_pit_bull_terrier: 10.1–11.7",
    "australian_cattle_dog: 9.7–11.3",
    "beagle: 9.5–11.1",
    "boston_terrier: 8.9–14.5",
    "boxer: 10–13.2",
    "brittany: 10.2–11",
    "bulldog: 9.3–16.1",
    "cavalier_king_charles_spaniel: 8.96–11.2",
    "dachshund: 9.25–11.55",
    "doberman: 8.8–11.2",
    "french_bulldog: 9.3–16.1",
    "german_shepherd: 8.3–11.1",
    "indian_spitz: 9.95–10.47",
    "labrador_retriever: 10.01–10.77",
    "lhasa_apso: 8–11.2",
    "maltese: 8.61–10.45",
    "miniature_australian_shepherd: 9.4–11.5",
    "miniature_schnauzer: 9.68–12.07",
    "mongrel: 9.4–10.24",
    "norwich_terrier: 9.4–11.8",
    "pomeranian: 8.7–12.3",
    "poodle: 9.1–11.14",
    "pug: 10.1–12.8",
    "shih_tzu: 8.3–10.7",
    "whippet: 10–12",
    "yorkshire_terrier: 8.7–11.1",
  ]);
});

it("limits VLAS by breed [v]", () => {
  expect(written(vlasRanges)).toEqual([
    "dog: –2.5",
    "american_eskimo_dog: 1.7–2.4",
    "cavalier_king_charles_spaniel: 1.19–2.39",
    "miniature_australian_shepherd: 1.7–2.5",
    "miniature_schnauzer: 1.71–2.4",
    "pug: 1.1–2.8",
  ]);
});
