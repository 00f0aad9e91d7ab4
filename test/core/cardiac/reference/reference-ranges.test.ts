import { describe, expect, it } from "vitest";
import { reasonInEnglish } from "../../../../core/app-error.ts";
import { faultOfOwnRange } from "../../../../core/cardiac/reference/own-range-fault.ts";
import type { OwnRange } from "../../../../core/cardiac/reference/own-range.ts";
import { sayIn } from "../../../../core/language/say.ts";
import { sourceParts } from "../../../../core/cardiac/reference/reference-words.ts";
import { breeds, type ReferenceRange } from "../../../../core/cardiac/reference/reference-range.ts";
import { breedOf, placeInRange, referenceRangeFor } from "../../../../core/cardiac/reference/reference-ranges.ts";

const ownVhs: OwnRange = {
  id: "00000000-0000-4000-8000-000000000001",
  species: "dog",
  breed: "",
  measure: "vhs",
  low: 9,
  high: 10,
  source: "Own data",
  enteredBy: "Dr Sommer",
  enteredAt: "2026-11-22T08:00:00.000Z",
};

describe("reference ranges", () => {
  it("recognises breeds in various spellings", () => {
    const written = [
      "cavalier king-charles SPANIEL",
      "CKCS",
      "Épagneul Breton",
      "labrador",
      "Mischling",
      "indian_spitz",
      "",
      "Dackel",
      "Mops",
      "Bouledogue français",
      "Kuvasz",
    ];
    expect(written.map(breedOf)).toEqual([
      "cavalier_king_charles_spaniel",
      "cavalier_king_charles_spaniel",
      "brittany",
      "labrador_retriever",
      "mongrel",
      "indian_spitz",
      null,
      "dachshund",
      "pug",
      "french_bulldog",
      null,
    ]);
  });

  it("finds the range of a dog's breed, otherwise of all dogs, and of all cats", () => {
    const band = (score: "vhs" | "vlas", species: "dog" | "cat", breed: string) => {
      const range = referenceRangeFor(score, species, breed);
      return range && [range.breed, range.low, range.high];
    };
    expect(band("vhs", "dog", "Cavalier")).toEqual(["cavalier_king_charles_spaniel", 8.96, 11.2]);
    expect(band("vlas", "dog", "Cavalier")).toEqual(["cavalier_king_charles_spaniel", 1.19, 2.39]);
    expect(band("vhs", "dog", "Boxer")).toEqual(["boxer", 10, 13.2]);
    expect(band("vlas", "dog", "Boxer")).toEqual([null, null, 2.5]);
    expect(band("vhs", "dog", "")).toEqual([null, 8.5, 10.5]);
    expect(band("vhs", "cat", "Labrador")).toEqual([null, 6.7, 8.1]);
    expect(band("vlas", "cat", "")).toBeNull();
  });

  it("prefers the clinic's range for the same breed and measure only", () => {
    const own = (change: Partial<OwnRange>): OwnRange => ({ ...ownVhs, ...change });
    const ranges = [
      own({ breed: "CKCS", low: 9, high: 10.9 }),
      own({ low: 8.4, high: 10.4 }),
      own({ breed: "Kuvasz", low: null, high: 10.8 }),
      own({ breed: "柴犬", high: 10.1 }),
      own({ species: "cat", measure: "vlas", high: 1.9 }),
    ];
    const band = (score: "vhs" | "vlas", species: "dog" | "cat", breed: string) => {
      const range = referenceRangeFor(score, species, breed, ranges);
      return range && [range.breed, range.low, range.high, range.band];
    };
    expect(band("vhs", "dog", "Cavalier")).toEqual(["cavalier_king_charles_spaniel", 9, 10.9, "clinic_limits"]);
    expect(band("vlas", "dog", "Cavalier")).toEqual(["cavalier_king_charles_spaniel", 1.19, 2.39, "mean_2_sd"]);
    expect(band("vhs", "dog", "Boxer")).toEqual(["boxer", 10, 13.2, "mean_2_sd"]);
    expect(band("vhs", "dog", "")).toEqual([null, 8.4, 10.4, "clinic_limits"]);
    expect(band("vhs", "dog", "Akita")).toEqual([null, 8.4, 10.4, "clinic_limits"]);
    expect(band("vhs", "dog", "kuvasz")).toEqual(["Kuvasz", null, 10.8, "clinic_limits"]);
    expect(band("vhs", "dog", "柴犬")).toEqual(["柴犬", 9, 10.1, "clinic_limits"]);
    expect(band("vhs", "dog", "秋田犬")).toEqual([null, 8.4, 10.4, "clinic_limits"]);
    expect(band("vhs", "cat", "Cavalier")).toEqual([null, 6.7, 8.1, "published_limits"]);
    expect(band("vlas", "cat", "")).toEqual([null, 9, 1.9, "clinic_limits"]);
    expect(sourceParts(referenceRangeFor("vhs", "dog", "Cavalier", ranges)!.source, sayIn("en"))).toEqual(["Own data"]);
  });

  it.each([
    ["low", { low: 3.9 }, "Lower limit: enter a value between 4 and 20 v"],
    ["low", { low: 10 }, "Lower limit: it must be less than the upper limit"],
    ["low", { low: 9.96 }, "Lower limit: it must be less than the upper limit"],
    ["high", { high: 20.1 }, "Upper limit: enter a value between 4 and 20 v"],
    ["high", { high: NaN }, "Upper limit: enter a value between 4 and 20 v"],
    ["source", { source: " " }, "Source: state the reference for the limits"],
    ["breed", { breed: "labrador" }, "Breed: you already have a range for this breed and measurement"],
  ])("rejects a clinic's range with an invalid %s: %o", (field, change, words) => {
    const fault = faultOfOwnRange({ ...ownVhs, ...change }, [{ ...ownVhs, breed: "Labrador Retriever" }]);
    expect(fault && { field: fault.field, words: reasonInEnglish(fault.reason) }).toEqual({ field, words });
  });

  it("accepts a clinic's range without a lower limit", () => {
    expect(faultOfOwnRange({ ...ownVhs, low: null }, [{ ...ownVhs, breed: "Labrador" }])).toBeNull();
  });

  it("contains the limits of every breed as published, or as mean ± 2 SD", () => {
    const limitsOf = (score: "vhs" | "vlas") =>
      Object.keys(breeds).flatMap((breed) => {
        const range = referenceRangeFor(score, "dog", breed)!;
        return range.breed === null ? [] : [`${breed} ${range.low}–${range.high}`];
      });
    expect(limitsOf("vhs").sort()).toEqual([
      "american_eskimo_dog 9.5–11.5",
      "american_pit_bull_terrier 10.1–11.7",
      "australian_cattle_dog 9.7–11.3",
      "beagle 9.5–11.1",
      "boston_terrier 8.9–14.5",
      "boxer 10–13.2",
      "brittany 10.2–11",
      "bulldog 9.3–16.1",
      "cavalier_king_charles_spaniel 8.96–11.2",
      "dachshund 9.25–11.55",
      "doberman 8.8–11.2",
      "french_bulldog 9.3–16.1",
      "german_shepherd 8.3–11.1",
      "indian_spitz 9.95–10.47",
      "labrador_retriever 10.01–10.77",
      "lhasa_apso 8–11.2",
      "maltese 8.61–10.45",
      "miniature_australian_shepherd 9.4–11.5",
      "miniature_schnauzer 9.68–12.07",
      "mongrel 9.4–10.24",
      "norwich_terrier 9.4–11.8",
      "pomeranian 8.7–12.3",
      "poodle 9.1–11.14",
      "pug 10.1–12.8",
      "shih_tzu 8.3–10.7",
      "whippet 10–12",
      "yorkshire_terrier 8.7–11.1",
    ]);
    expect(limitsOf("vlas").sort()).toEqual([
      "american_eskimo_dog 1.7–2.4",
      "cavalier_king_charles_spaniel 1.19–2.39",
      "miniature_australian_shepherd 1.7–2.5",
      "miniature_schnauzer 1.71–2.4",
      "pug 1.1–2.8",
    ]);
  });

  it("shows citations unchanged and remarks translated", () => {
    const saidOf = (breed: string) =>
      (["en", "de"] as const).map((language) =>
        sourceParts(referenceRangeFor("vhs", "dog", breed)!.source, sayIn(language)).join(" · "),
      );
    expect([saidOf("Labrador"), saidOf("Boxer"), saidOf("")]).toEqual([
      [
        "Bodh et al. 2016, Vet World 9:371–376 · PMC4864478 · right lateral views",
        "Bodh et al. 2016, Vet World 9:371–376 · PMC4864478 · rechtslaterale Aufnahmen",
      ],
      [
        "Lamb et al. 2001, Vet Rec 148:707–711 · doi:10.1136/vr.148.23.707 · right lateral views",
        "Lamb et al. 2001, Vet Rec 148:707–711 · doi:10.1136/vr.148.23.707 · rechtslaterale Aufnahmen",
      ],
      Array(2).fill("Buchanan & Bücheler 1995, J Am Vet Med Assoc 206:194–199 · PMID 7751220"),
    ]);
    const citations = [...Object.keys(breeds), ""].map(
      (breed) => referenceRangeFor("vhs", "dog", breed)!.source.citation,
    );
    // Author or journal, year and location, which need no translation.
    for (const citation of citations) expect(citation).toMatch(/^[^(),]+ \d{4}, ([A-Z][^(),]* )?\d+(:e?\d+(–\d+)?)?$/);
  });

  it("compares displayed values; limits are inclusive except that of VLAS", () => {
    const placesIn = (range: ReferenceRange, ...values: number[]) => values.map((value) => placeInRange(value, range));
    const general = referenceRangeFor("vhs", "dog", "")!;
    expect(placesIn(general, 8.44, 8.45, 10.54, 10.55)).toEqual(["below", "within", "within", "above"]);
    const vlas = referenceRangeFor("vlas", "dog", "")!;
    expect(placesIn(vlas, 0.6, 2.44, 2.45, 2.5)).toEqual(["within", "within", "above", "above"]);
    const aussie = referenceRangeFor("vlas", "dog", "Mini Aussie")!;
    expect(placesIn(aussie, 2.54, 2.55)).toEqual(["within", "above"]);
  });
});
