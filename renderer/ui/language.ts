import { useCallback } from "react";
import { create } from "zustand";
import { fillMessage, type Language, type Message, type MessageValues } from "./message.ts";

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

/** The function that turns a message into text in the language of the interface. */
export function useText(): (message: Message, values?: MessageValues) => string {
  const language = useLanguage((state) => state.language);
  return useCallback((message, values) => fillMessage(message, language, values), [language]);
}

function languageOf(wanted: Language | "system"): Language {
  if (wanted !== "system") return wanted;
  return typeof navigator !== "undefined" && navigator.language.toLowerCase().startsWith("de") ? "de" : "en";
}
