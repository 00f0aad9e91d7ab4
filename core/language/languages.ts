import type { Catalogue } from "./catalogue.ts";
import { english } from "./english.ts";
import { french } from "./french.ts";
import { german } from "./german.ts";

type LanguageEntry = {
  readonly name: string;
  readonly catalogue: Catalogue;
  /** Default locale of numbers and dates; the settings can override it. */
  readonly locale: string;
  readonly isProofread: boolean;
};

/** To add a language, write its catalogue and add an entry here. */
export const languages = {
  en: { name: "English", catalogue: english, locale: "en-GB", isProofread: true },
  de: { name: "Deutsch", catalogue: german, locale: "de-DE", isProofread: true },
  fr: { name: "Français", catalogue: french, locale: "fr-FR", isProofread: false },
} as const satisfies Readonly<Record<string, LanguageEntry>>;

export type Language = keyof typeof languages;

/** Codes in the order of the language menu. */
export const languageCodes = Object.keys(languages) as [Language, ...Language[]];

/** Locales for numbers and dates that the settings offer for every language. */
export const formatLocales = ["en-GB", "en-US", "de-DE", "de-CH", "fr-FR", "fr-CH"] as const;

/** Language for a system locale such as `de-AT`; English if the program has no catalogue for it. */
export function languageOfLocale(locale: string): Language {
  const code = locale.slice(0, 2).toLowerCase();
  return languageCodes.find((known) => known === code) ?? "en";
}
