import { create } from "zustand";
import type { Settings } from "../../../core/contract/desktop/settings.ts";
import { languageOfLocale, languages, type Language } from "../../../core/language/languages.ts";
import { keepUnits } from "../../../core/language/keep-units.ts";
import { sayIn, type Say } from "../../../core/language/say.ts";

type LanguageState = {
  readonly language: Language;
  readonly locale: string;
  readonly setLanguage: (wanted: Settings["language"], locale: Settings["locale"]) => void;
};

export const useLanguage = create<LanguageState>((set) => ({
  ...chosen("system", "language"),
  setLanguage: (wanted, locale) => {
    const next = chosen(wanted, locale);
    document.documentElement.lang = next.language;
    set(next);
  },
}));

export function useText(): Say {
  return useLanguage(({ language, locale }) => shownIn(language, locale));
}

/** Texts that are stored or sent rather than shown, without non-breaking spaces. */
export function useKeptText(): Say {
  return useLanguage(({ language, locale }) => sayIn(language, locale));
}

export function textNow(): Say {
  const { language, locale } = useLanguage.getState();
  return shownIn(language, locale);
}

const shown = new Map<string, Say>();

/** Texts for the screen, with non-breaking spaces before units. */
function shownIn(language: Language, locale: string): Say {
  const name = `${language} ${locale}`;
  const say = sayIn(language, locale) as (...asked: readonly unknown[]) => string;
  const kept = shown.get(name) ?? ((...asked: readonly unknown[]) => keepUnits(say(...asked)));
  shown.set(name, kept);
  return kept;
}

function chosen(wanted: Settings["language"], locale: Settings["locale"]): Pick<LanguageState, "language" | "locale"> {
  const language = wanted === "system" ? languageOfSystem() : wanted;
  return { language, locale: locale === "language" ? languages[language].locale : locale };
}

function languageOfSystem(): Language {
  return languageOfLocale(typeof navigator === "undefined" ? "en" : navigator.language);
}
