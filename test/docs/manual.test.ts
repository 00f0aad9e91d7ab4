import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { lexer, walkTokens, type Token } from "marked";
import { describe, expect, it } from "vitest";
import { languages as catalogues } from "../../core/language/languages.ts";
import { helpOfScreen, helpPages } from "../../renderer/state/places/help.ts";
import { settingsTabs } from "../../renderer/state/places/settings-tab.ts";

const folder = "docs/manual";
const languages = ["en", "de"] as const;
/** Markdown elements that renderer/help/manual-page.tsx renders. */
const shown = ["heading", "paragraph", "list", "list_item", "table", "space", "text", "strong", "em", "codespan"];

const tokensOf = (file: string): Token[] => {
  const found: Token[] = [];
  void walkTokens(lexer(readFileSync(file, "utf8")), (token) => void found.push(token));
  return found;
};

const unquoted = (text: string): string => text.replaceAll(/["'“”„‘’‚\s]+/g, " ").trim();

/** Texts of the program, with `*` for their arguments. */
function textsOf(branch: object): string[] {
  return Object.values(branch).flatMap((text: unknown) => {
    if (typeof text === "object" && text !== null) return textsOf(text);
    let plain = unquoted(String(text));
    while (/\{[^{}]*\}/.test(plain)) plain = plain.replaceAll(/\{[^{}]*\}/g, "*");
    return [plain];
  });
}

/** Whether a text can produce a label: as it is, or with arguments in place of `*`. */
function shows(text: string, label: string): boolean {
  if (text.includes(label) || !text.includes("*")) return text.includes(label);
  const parts = text.split("*").map((part) => part.replaceAll(/[^\w\s]/g, "\\$&"));
  return parts.join("").length > 4 && new RegExp(parts.join(".*")).test(label);
}

it("has a page for every screen and every tab of the settings", () => {
  const wanted = [...Object.values(helpOfScreen), ...Object.values(settingsTabs).map((tab) => tab.help)];
  expect(wanted.filter((page) => !helpPages.includes(page))).toEqual([]);
});

describe.each(languages)("the manual in %s", (language) => {
  const pages = readdirSync(path.join(folder, language));

  it("contains exactly the listed pages", () => {
    expect(pages.sort()).toEqual(helpPages.map((page) => `${page}.md`).sort());
  });

  it("consists of pages with one title and supported elements only", () => {
    for (const page of pages) {
      const tokens = tokensOf(path.join(folder, language, page));
      expect(
        tokens.filter((token) => token.type === "heading" && token["depth"] === 1),
        page,
      ).toHaveLength(1);
      const types = tokens.map(({ type }) => type).filter((type) => ![...shown, "link", "image"].includes(type));
      expect(types, page).toEqual([]);
    }
  });

  it("quotes only texts of the program", () => {
    const texts = textsOf(catalogues[language].catalogue);
    const quotes = { en: /“([^“”]+)”/g, de: /„([^„“]+)“/g };
    const quoted = pages.flatMap((page) =>
      [...readFileSync(path.join(folder, language, page), "utf8").matchAll(quotes[language])].map(([, label = ""]) =>
        unquoted(label).replace(/[\s.,…]+$/, ""),
      ),
    );
    expect(quoted.length).toBeGreaterThan(50);
    // "Of Interest" is the title of a DICOM object.
    const unknown = quoted.filter((label) => label !== "Of Interest" && !texts.some((text) => shows(text, label)));
    expect(unknown).toEqual([]);
  });

  it("links to existing pages and pictures", () => {
    const targets = pages
      .flatMap((page) => tokensOf(path.join(folder, language, page)))
      .flatMap((token) =>
        token.type === "link" || token.type === "image" ? [{ kind: token.type, href: String(token["href"]) }] : [],
      );
    const broken = targets.filter(
      ({ kind, href }) =>
        !existsSync(path.join(folder, language, href)) ||
        (kind === "link" ? !/^[a-z]+\.md$/.test(href) : !/^\.\.\/\.\.\/screens\/[a-z-]+\.png$/.test(href)),
    );
    expect(broken).toEqual([]);
  });
});

it("uses the same pictures and links in both languages", () => {
  const targets = (language: string, page: string) =>
    tokensOf(path.join(folder, language, `${page}.md`)).flatMap((token) =>
      token.type === "link" || token.type === "image" ? [token["href"] as string] : [],
    );
  for (const page of helpPages) expect(targets("de", page), page).toEqual(targets("en", page));
});

it("has a German version of each picture that is shown in German", () => {
  const shown = readdirSync(path.join(folder, "de")).flatMap((page) =>
    [...readFileSync(path.join(folder, "de", page), "utf8").matchAll(/screens\/([a-z-]+\.png)/g)].map(
      ([, name]) => name,
    ),
  );
  expect(readdirSync("docs/screens/de").sort()).toEqual([...new Set(shown)].sort());
});

it("states in each language that values are proposals", () => {
  for (const [language, words] of [
    ["en", "not clinically validated"],
    ["de", "nicht klinisch validiert"],
  ] as const)
    for (const page of ["start", "values"])
      expect(readFileSync(path.join(folder, language, `${page}.md`), "utf8").replaceAll("\n", " ")).toContain(words);
});
