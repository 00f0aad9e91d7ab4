import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { errorCatalogue } from "../../../core/contract/error-catalogue.ts";
import { resultDescriptions } from "../../../core/cardiac/result-codes.ts";
import { germanErrors } from "../../../renderer/ui/messages/errors.ts";
import { resultMessages } from "../../../renderer/ui/messages/result.ts";
import type { MessageTable } from "../../../renderer/ui/message.ts";

const folder = new URL("../../../renderer/ui/messages/", import.meta.url);
/** The page's own texts, and those that it shares with what is printed or sent. */
const files = [
  ...readdirSync(folder).filter((name) => name !== "errors.ts"),
  "../../../core/cardiac/review-reason-text.ts",
  "../../../core/cardiac/reference/reference-words.ts",
  "../../../core/cardiac/within-picture.ts",
];
/** Words that are the same in both languages. */
const sameInBoth = new Set([
  "Corvet",
  "VHS",
  "VLAS",
  "v",
  "Status",
  "Name",
  "Optimal",
  "Original",
  "Code {code}",
  "{who}, {when}",
  "{low}–{high}",
  "Patient",
  "Patient …",
  "Port",
  "Logo",
  "Starter",
  "Professional",
  "Enterprise",
  "uuid",
  "API",
  "Person",
  "{percent} %",
  "Vertebral Heart Score",
  "Vertebral Left Atrial Size",
  "{feature} {value} {direction} {amount}",
]);
const placeholders = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map((match) => match[1]).sort();

test.each(files)("%s: both languages are there, differ, and have the same placeholders", async (file) => {
  const tables = Object.values((await import(new URL(file, folder).href)) as Record<string, MessageTable>).filter(
    (table) => typeof table === "object",
  );
  for (const table of tables) {
    for (const [key, { en, de }] of Object.entries(table)) {
      expect(`${key}: ${de.trim()}`).not.toBe(`${key}: `);
      expect({ key, placeholders: placeholders(de) }).toEqual({ key, placeholders: placeholders(en) });
      if (!sameInBoth.has(en)) expect(`${key}: ${de}`).not.toBe(`${key}: ${en}`);
    }
  }
});

test("every failure of the catalogue has German words", () => {
  expect(Object.keys(germanErrors).sort()).toEqual(Object.keys(errorCatalogue).sort());
});

test("the English words of the result codes are the specification's", () => {
  for (const [code, description] of Object.entries(resultDescriptions))
    expect(resultMessages[`code_${code}` as "code_0"].en).toBe(description);
});
