import { describe, expect, it } from "vitest";
import { axeFaultsInBothThemes, openSettings } from "../actions.ts";
import { startJourney } from "../journey.ts";
import { ask } from "../program.ts";

describe("help", () => {
  const journey = startJourney();
  const page = () => journey.window().page;
  const manual = () => page().getByRole("dialog", { name: "Manual" });
  const title = (name: string) => manual().getByRole("heading", { level: 2, name }).last().waitFor();

  it("opens with F1 at the page about the screen, also from a field", async () => {
    await page().getByLabel("Search films, patients, owners").focus();
    await page().keyboard.press("F1");
    await title("Worklist");
    expect(await axeFaultsInBothThemes(page())).toEqual([]);
    await page().keyboard.press("Escape");
    await openSettings(page(), "DICOM");
    await page().keyboard.press("F1");
    await title("DICOM");
  });

  it("follows links, searches the manual and shows pictures", async () => {
    await manual().getByLabel("Search the manual").fill("buchanan");
    expect(await manual().locator(".manual-entry").allInnerTexts()).toEqual([
      "What the values mean, and what they do not",
    ]);
    await manual().getByLabel("Search the manual").fill("");
    await manual().getByRole("button", { name: "Getting started" }).click();
    await manual().locator(".manual-link", { hasText: "Reading and correcting" }).click();
    await title("Reading and correcting");
    const picture = manual().locator("figure img").first();
    await picture.scrollIntoViewIfNeeded();
    await page().waitForFunction(() => (document.querySelector("figure img") as HTMLImageElement).naturalWidth > 0);
  });

  it("is German in the German program", async () => {
    await ask(page(), "settings.save", { language: "de" });
    await page().getByRole("dialog", { name: "Handbuch" }).getByRole("button", { name: "Arbeitsliste" }).waitFor();
    await ask(page(), "settings.save", { language: "en" });
    await page().keyboard.press("Escape");
  });

  it("is in English in the French program, with a notice in French", async () => {
    await page().keyboard.press("Alt+1");
    await page().keyboard.press("F1");
    await title("Worklist");
    await ask(page(), "settings.save", { language: "fr" });
    const note = page().getByText("Le manuel n’existe pas encore en français");
    await note.waitFor();
    expect([await note.getAttribute("lang"), await page().locator(".manual").getAttribute("lang")]).toEqual([
      "fr",
      "en",
    ]);
    await page().getByRole("heading", { level: 2, name: "Worklist" }).waitFor();
    await ask(page(), "settings.save", { language: "en" });
    await note.waitFor({ state: "detached" });
    await page().keyboard.press("Escape");
  });

  it("prints a card of all shortcuts, including changed ones", async () => {
    await ask(page(), "settings.save", { shortcuts: { "view.fit": "G" } });
    await page().evaluate(() => (window.print = () => document.body.setAttribute("data-printed", "")));
    await page().keyboard.press("?");
    await page().getByRole("button", { name: "Print card" }).click();
    await page().locator("body[data-printed]").waitFor();
    const card = page().locator(".keyboard-card");
    expect(await card.locator("tr", { hasText: "Fit to window" }).textContent()).toContain("G");
    await page().emulateMedia({ media: "print" });
    expect([await card.isVisible(), await page().locator("#root").isVisible()]).toEqual([true, false]);
    await page().emulateMedia({ media: null });
    await page().evaluate(() => window.dispatchEvent(new Event("afterprint")));
    await card.waitFor({ state: "detached" });
  });
});
