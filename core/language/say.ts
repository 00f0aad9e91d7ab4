import { IntlMessageFormat } from "intl-messageformat";
import type { PlainKey, TextKey, TextValues } from "./catalogue.ts";
import { languages, type Language } from "./languages.ts";

export type Say = {
  (key: PlainKey): string;
  <Key extends TextKey>(key: Key, values: TextValues<Key>): string;
};

/** Joins parts of a sentence with the separator of the language. @param parts at least one */
export function enumerated(parts: readonly string[], say: Say): string {
  return parts.reduce((one, next) => say("common.inTurn", { one, next }));
}

type Values = Readonly<Record<string, string | number>>;

const sayers = new Map<string, Say>();

/** @param locale  format of numbers in the texts */
export function sayIn(language: Language, locale: string = languages[language].locale): Say {
  const name = `${language} ${locale}`;
  const say = sayers.get(name) ?? createSay(language, locale);
  sayers.set(name, say);
  return say;
}

function createSay(language: Language, locale: string): Say {
  const catalogue = languages[language].catalogue as Readonly<Record<string, Readonly<Record<string, string>>>>;
  const formats = new Map<string, IntlMessageFormat>();
  const compiled = (key: string): IntlMessageFormat => {
    const dot = key.indexOf(".");
    const text = catalogue[key.slice(0, dot)]?.[key.slice(dot + 1)] ?? key;
    const format = new IntlMessageFormat(text, language, undefined, {
      ignoreTag: true,
      // Plural forms follow the language, number formats the chosen locale.
      formatters: {
        getNumberFormat: (_, options) => new Intl.NumberFormat(locale, options),
        getDateTimeFormat: (_, options) => new Intl.DateTimeFormat(locale, options),
        getPluralRules: (_, options) => new Intl.PluralRules(language, options),
      },
    });
    formats.set(key, format);
    return format;
  };
  return (key: TextKey, values?: unknown) => String((formats.get(key) ?? compiled(key)).format(values as Values));
}
