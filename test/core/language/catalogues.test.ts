import { parse, TYPE, type MessageFormatElement } from "@formatjs/icu-messageformat-parser";
import { expect, test } from "vitest";
import { resultDescriptions } from "../../../core/cardiac/result-codes.ts";
import type { TextKey } from "../../../core/language/catalogue.ts";
import { english } from "../../../core/language/english.ts";
import { languageCodes, languageOfLocale, languages } from "../../../core/language/languages.ts";
import { sayIn } from "../../../core/language/say.ts";

const textsOfNames = new Set<TextKey>(["result.vhsLong", "result.vlasLong"]);

const textsOf = (catalogue: (typeof languages)[keyof typeof languages]["catalogue"]) =>
  Object.entries(catalogue).flatMap(([group, texts]) =>
    Object.entries(texts).map(([name, text]) => [`${group}.${name}` as TextKey, text as string] as const),
  );

/** Arguments of a message with their kind: `count: number`. Plurals and numbers both expect a number. */
function argumentsOf(elements: readonly MessageFormatElement[]): readonly string[] {
  const found = elements.flatMap((element): readonly string[] => {
    switch (element.type) {
      case TYPE.literal:
      case TYPE.pound:
        return [];
      case TYPE.plural:
      case TYPE.select:
        return [
          `${element.value}: ${element.type === TYPE.plural ? "number" : "text"}`,
          ...Object.values(element.options).flatMap(({ value }) => argumentsOf(value)),
        ];
      case TYPE.number:
        return [`${element.value}: number`];
      case TYPE.argument:
        return [`${element.value}: text`];
      case TYPE.date:
      case TYPE.time:
      case TYPE.tag:
        throw new Error(`no text of the program uses ${TYPE[element.type]}`);
    }
  });
  return [...new Set(found)].sort();
}

/** Branches of plurals with a single word, which the types would interpret as an argument. */
function bareBranches(elements: readonly MessageFormatElement[]): readonly string[] {
  return elements.flatMap((element) => {
    if (element.type !== TYPE.plural && element.type !== TYPE.select) return [];
    return Object.values(element.options).flatMap(({ value }) => [
      ...(value.length === 1 && value[0]?.type === TYPE.literal && /^\w+$/.test(value[0].value)
        ? [value[0].value]
        : []),
      ...bareBranches(value),
    ]);
  });
}

function missingForms(elements: readonly MessageFormatElement[], needed: readonly string[]): readonly string[] {
  return elements.flatMap((element) =>
    element.type === TYPE.plural ? needed.filter((form) => !(form in element.options)) : [],
  );
}

test.each(languageCodes)("%s contains every text with the arguments of the English one", (code) => {
  const own = textsOf(languages[code].catalogue);
  const expected = textsOf(english).map(([key, text]) => ({ key, arguments: argumentsOf(parse(text)) }));
  expect(own.map(([key, text]) => ({ key, arguments: argumentsOf(parse(text)) })).sort(byKey)).toEqual(
    expected.sort(byKey),
  );
  expect(own.filter(([, text]) => text.trim() === "" || text !== text.trim())).toEqual([]);
});

test.each(languageCodes)("%s contains no English sentences", (code) => {
  const texts = new Map(textsOf(english));
  const isSentence = (text: string) => /\p{L}{3,} \p{L}{2,} \p{L}{2,}/u.test(text.replace(/\{[^}]*\}/g, ""));
  const left = textsOf(languages[code].catalogue).filter(
    ([key, text]) => code !== "en" && text === texts.get(key) && isSentence(text) && !textsOfNames.has(key),
  );
  expect(left).toEqual([]);
});

test.each(languageCodes)("%s contains every plural form as a phrase, and typographic quotation marks", (code) => {
  const needed = new Intl.PluralRules(code).resolvedOptions().pluralCategories.filter((form) => form !== "many");
  for (const [key, text] of textsOf(languages[code].catalogue)) {
    const elements = parse(text);
    expect({ key, missing: missingForms(elements, needed), bare: bareBranches(elements) }).toEqual({
      key,
      missing: [],
      bare: [],
    });
    expect(`${key}: ${text}`).not.toMatch(/['"]/);
  }
});

test("uses a no-break space in French before : and within « », a narrow one before ; ! and ?", () => {
  // A colon within a word is part of a ratio, an address or a number format; a question mark may be quoted.
  const wrong = /[^\u00a0][:»](\s|$)|(?<!«\u00a0)(?<!\u202f)[;!?](\s|$)| [;!?»]| :(?!:)|«[^\u00a0]/;
  const loose = textsOf(languages.fr.catalogue).filter(([, text]) => wrong.test(text));
  expect(loose).toEqual([]);
});

test.each(languageCodes)("%s ends texts of several sentences with a full stop", (code) => {
  // A value at the end may be copied, so no full stop follows it; "z. B." does not end a sentence.
  const open = textsOf(languages[code].catalogue).filter(
    ([, text]) => /[\p{L})”»“}]\. +[\p{Lu}{]/u.test(text.replace("z. B.", "")) && !/[.!?:…”»“}]$/.test(text),
  );
  expect(open).toEqual([]);
});

test.each(languageCodes)("%s refers to the menu for sending results by its name if there is no destination", (code) => {
  const { dicom, report } = languages[code].catalogue;
  expect(dicom.noNodesText).toMatch(new RegExp(`[“„«]\\s?${report.menu}\\s?[”“»]`));
});

test.each([
  ["de", /Harn-Screening|Herzversagen|Datenverzeichnis/],
  ["fr", /écart type|clichés clés/i],
] as const)("%s uses one term per concept", (code, others) => {
  expect(textsOf(languages[code].catalogue).filter(([, text]) => others.test(text))).toEqual([]);
});

test("puts a space in German before an ellipsis for omitted words", () => {
  expect(textsOf(languages.de.catalogue).filter(([, text]) => /\p{L}…/u.test(text))).toEqual([]);
});

test("uses the specified English descriptions of result codes, except for rejections", () => {
  // A ventrodorsal chest is a valid radiograph, so that the specified description of a rejection would mislead users.
  for (const [code, description] of Object.entries(resultDescriptions).filter(([each]) => Number(each) < 6))
    expect(english.result[`code_${code}` as "code_0"]).toBe(description);
});

test("selects plurals by language and formats numbers by locale", () => {
  expect(sayIn("en")("films.stopped", { count: 1 })).toBe("Stopped: 1 file was not opened");
  expect(sayIn("de")("films.stopped", { count: 1200 })).toBe("Abgebrochen: 1.200 Dateien wurden nicht geöffnet");
  expect(sayIn("en", "de-DE")("films.stopped", { count: 1200 })).toBe("Stopped: 1.200 files were not opened");
  expect(sayIn("de")("studies.age_Y", { count: 1 })).toBe("1 Jahr");
});

test("finds the language of a locale, English if it is not supported", () => {
  expect(["de-AT", "en-US", "ja-JP"].map(languageOfLocale)).toEqual(["de", "en", "en"]);
});

test("does not compile with an unknown key or argument", () => {
  const say = sayIn("en");
  const wrong = () => {
    // @ts-expect-error no such text
    say("films.opne");
    // @ts-expect-error the argument is missing
    say("films.stopped");
    // @ts-expect-error the argument is misspelt
    say("films.stopped", { cuont: 1 });
    // @ts-expect-error a number is needed
    say("films.stopped", { count: "1" });
    // @ts-expect-error nothing is filled in here
    say("films.worklist", { count: 1 });
    // @ts-expect-error one of these two needs an argument
    say(Math.random() < 0.5 ? "films.worklist" : "films.stopped");
  };
  expect(wrong).toBeTypeOf("function");
});

function byKey(a: { readonly key: string }, b: { readonly key: string }): number {
  return a.key < b.key ? -1 : 1;
}

test.each(languageCodes)("%s keeps the range of a ruler's vertebrae on one line", (code) => {
  const text = sayIn(code)("result.ruler_detected", { count: 5, last: "T8" });
  expect(text.endsWith(", T4–\u2060T8")).toBe(true);
});

test("states that a backup without films does not include them, instead of counting 0", () => {
  const say = (code: (typeof languageCodes)[number], films: number) =>
    sayIn(code)("settings.backupOpens", { rows: 1, values: 2, films });
  expect(say("en", 0)).toBe("Verified: 1 ledger row and 2 values intact; films are not included in this copy");
  expect(say("en", 3)).toBe("Verified: 1 ledger row and 2 values intact, 3 films complete");
  for (const code of languageCodes) expect(say(code, 0)).not.toContain("0");
});
