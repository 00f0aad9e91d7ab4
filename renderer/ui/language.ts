import { create } from "zustand";
import { languageOfLocale, type Language } from "../../core/language/languages.ts";
import { sayIn, type Say } from "../../core/language/say.ts";

type LanguageState = { readonly language: Language; readonly setLanguage: (wanted: Language | "system") => void };

/** Language of the interface. */
export const useLanguage = create<LanguageState>((set) => ({
  language: languageOf("system"),
  setLanguage: (wanted) => {
    const language = languageOf(wanted);
    document.documentElement.lang = language;
    set({ language });
  },
}));

/** The texts of the interface, in its language. */
export function useText(): Say {
  return useLanguage(({ language }) => sayIn(language));
}

/** The same outside of a component, where nothing is shown anew when the language changes. */
export function textNow(): Say {
  return sayIn(useLanguage.getState().language);
}

function languageOf(wanted: Language | "system"): Language {
  if (wanted !== "system") return wanted;
  return languageOfLocale(typeof navigator === "undefined" ? "en" : navigator.language);
}
