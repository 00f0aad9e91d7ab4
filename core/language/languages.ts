import type { Catalogue } from "./catalogue.ts";
import { english } from "./english.ts";
import { french } from "./french.ts";
import { german } from "./german.ts";

type LanguageEntry = {
  /** What it calls itself. */
  readonly name: string;
  readonly catalogue: Catalogue;
  /** How its numbers and dates are written unless the settings say otherwise. */
  readonly locale: string;
  /** Whether someone who grew up with it has read every text. */
  readonly isProofread: boolean;
};

/** Every language of the program. Another one is its catalogue and a line here. */
export const languages = {
  en: { name: "English", catalogue: english, locale: "en-GB", isProofread: true },
  de: { name: "Deutsch", catalogue: german, locale: "de-DE", isProofread: true },
  fr: { name: "Français", catalogue: french, locale: "fr-FR", isProofread: false },
} as const satisfies Readonly<Record<string, LanguageEntry>>;

export type Language = keyof typeof languages;

/** All codes, in the order in which they are offered. */
export const languageCodes = Object.keys(languages) as [Language, ...Language[]];

/** Ways to write numbers and dates that the settings offer, whatever the language. */
export const formatLocales = ["en-GB", "en-US", "de-DE", "de-CH", "fr-FR", "fr-CH"] as const;

/** The program's language for a locale of the system (`de-AT`), English where it has none for it. */
export function languageOfLocale(locale: string): Language {
  const code = locale.slice(0, 2).toLowerCase();
  return languageCodes.find((known) => known === code) ?? "en";
}
