import { expect, test } from "vitest";
import { speciesOf } from "../../core/species.ts";

test.each([
  [
    "dog",
    [
      "Canine",
      "CANIS LUPUS FAMILIARIS",
      "Hund",
      "Hunde",
      "Hündin",
      "Ru\u0308de",
      "Haushund",
      "chienne",
      "Canino",
      "K9",
    ],
  ],
  [
    "cat",
    ["Feline", "FELIS CATUS", "Katze", "Katzen", "Kater", "Hauskatze", "domestic cat", "Félin", "chatte", "Gatto"],
  ],
  ["other", ["Equine", "Kaninchen", "Caniche", "Katta", "Hundsaffe", "Chatham"]],
  [null, ["", " ", "Unknown", "unbekannt", "n/a", "-", "?"]],
])("recognises %s by the words %j", (species, words) => {
  expect(words.map((word) => speciesOf(word, null))).toEqual(words.map(() => species));
});

test("prefers a code to words, and treats an unknown code as another species", () => {
  expect([
    speciesOf("Tier", "448169003"),
    speciesOf(null, "L-80700"),
    speciesOf(null, "388445009"),
    speciesOf("Unknown", "388445009"),
    speciesOf(null, null),
  ]).toEqual(["cat", "dog", "other", "other", null]);
});
