import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { languages } from "../../../core/language/languages.ts";
import { documents, withoutDeadLinks, writeDocuments } from "../../../tools/packaging/documents.ts";
import { folderForFile } from "../../fixtures/folders.ts";

const linksIn = (text: string) => [...text.matchAll(/\]\(([^)\s#]+)[^)]*\)/g)].map(([, target = ""]) => target);
const documentsIn = (text: string) => [...text.matchAll(/[\w/-]+\.md\b/g)].map(([name]) => name);

describe("the documents of the package", () => {
  const folder = folderForFile();
  beforeAll(() => writeDocuments(folder));

  it("only link to each other", () => {
    const links = documents.flatMap((name) =>
      linksIn(readFileSync(path.join(folder, name), "utf8"))
        .filter((target) => !/^https?:/.test(target))
        .map((target) => path.posix.join(path.posix.dirname(name), target)),
    );
    expect(links).toEqual(expect.arrayContaining(["practice.md", "service.md", "clients/curl.md"]));
    expect(links.filter((target) => !documents.includes(target))).toEqual([]);
  });

  it("keep the text of links to other files", () => {
    expect(withoutDeadLinks("practice.md", "([decision 1](decisions/1.md), [service](service.md#update))")).toBe(
      "(decision 1, [service](service.md#update))",
    );
  });

  it("include all documents named in the program's texts", () => {
    const named = Object.values(languages).flatMap(({ catalogue }) => documentsIn(JSON.stringify(catalogue)));
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((name) => !documents.includes(name))).toEqual([]);
  });

  it.each(["en", "de"])("include all documents named in the manual (%s)", (language) => {
    const pages = readdirSync(path.join("docs", "manual", language));
    const named = pages.flatMap((page) =>
      documentsIn(readFileSync(path.join("docs", "manual", language, page), "utf8")),
    );
    expect(named).toContain("practice-software.md");
    expect(named.filter((name) => !documents.includes(name) && !pages.includes(name))).toEqual([]);
  });
});
