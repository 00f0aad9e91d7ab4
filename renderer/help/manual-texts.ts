import { lexer, type Token } from "marked";
import type { Language } from "../../core/language/languages.ts";
import { searchedText } from "../../core/searched-text.ts";
import { helpPages, type HelpPage } from "../state/places/help.ts";

const files = import.meta.glob<string>("../../docs/manual/*/*.md", { query: "?raw", import: "default", eager: true });
const pictures = import.meta.glob<string>("../../docs/screens/**/*.png", {
  query: "?url",
  import: "default",
  eager: true,
});

type ManualLanguage = "en" | "de";

export type ListedPage = { readonly page: HelpPage; readonly title: string };

export function manualLanguageOf(language: Language): ManualLanguage {
  return language === "de" ? "de" : "en";
}

export function readPage(page: HelpPage, language: ManualLanguage): readonly Token[] {
  return lexer(textOf(page, language));
}

/** Lists pages that contain every word, ignoring case and accents; all pages without a search. */
export function findPages(searched: string, language: ManualLanguage): readonly ListedPage[] {
  const words = searchedText(searched).split(/\s+/).filter(Boolean);
  return helpPages
    .filter((page) => {
      const text = searchedText(textOf(page, language));
      return words.every((word) => text.includes(word));
    })
    .map((page) => ({ page, title: /^# (.*)$/m.exec(textOf(page, language))?.[1] ?? page }));
}

export function pageOfLink(href: string): HelpPage | null {
  return helpPages.find((page) => href === `${page}.md`) ?? null;
}

export function urlOfPicture(href: string, language: ManualLanguage): string | null {
  const file = href.replace(/^(\.\.\/)+/, "../../docs/");
  return pictures[file.replace("/screens/", `/screens/${language}/`)] ?? pictures[file] ?? null;
}

function textOf(page: HelpPage, language: ManualLanguage): string {
  return files[`../../docs/manual/${language}/${page}.md`] ?? "";
}
