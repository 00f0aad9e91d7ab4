import type { Catalogue } from "../../../core/language/catalogue.ts";
import { languageOfLocale, languages, type Language } from "../../../core/language/languages.ts";

export type MenuTexts = Catalogue["menu"];

export function menuTexts(setting: "system" | Language, locale: string): MenuTexts {
  return textsOf(setting, locale).menu;
}

export function textsOf(setting: "system" | Language, locale: string): Catalogue {
  return languages[setting === "system" ? languageOfLocale(locale) : setting].catalogue;
}
