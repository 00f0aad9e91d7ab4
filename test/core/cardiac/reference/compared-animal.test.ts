import { expect, test } from "vitest";
import { comparedAnimal } from "../../../../core/cardiac/reference/compared-animal.ts";

test("uses species and breed of the patient, otherwise of the file, otherwise assumes a dog", () => {
  const inFile = { species: "cat", breed: "Birman" } as const;
  expect([
    comparedAnimal({ species: "dog", breed: "Pug" }, inFile),
    comparedAnimal(null, inFile),
    comparedAnimal(null, { species: null, breed: null }),
    comparedAnimal(null, { species: "other", breed: "Rex" }),
    comparedAnimal(null, null),
    comparedAnimal({ species: null, breed: "" }, inFile),
    comparedAnimal({ species: null, breed: "Pug" }, null),
  ]).toEqual([
    { species: "dog", breed: "Pug", isSpeciesKnown: true },
    { species: "cat", breed: "Birman", isSpeciesKnown: true },
    { species: "dog", breed: "", isSpeciesKnown: false },
    { species: "dog", breed: "", isSpeciesKnown: false },
    { species: "dog", breed: "", isSpeciesKnown: false },
    { species: "cat", breed: "Birman", isSpeciesKnown: true },
    { species: "dog", breed: "Pug", isSpeciesKnown: false },
  ]);
});
