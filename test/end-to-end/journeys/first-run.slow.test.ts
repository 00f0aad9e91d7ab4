import { describe, expect, it } from "vitest";
import { axeFaultsInBothThemes, waitForFilms } from "../actions.ts";
import { startJourney } from "../journey.ts";
import { openProgram } from "../open-program.ts";
import { ask } from "../program.ts";

describe("the first run", () => {
  const { window } = startJourney(undefined, () => openProgram({ isFirstRun: true }));
  const page = () => window().page;
  const setUp = () => page().getByRole("region", { name: "Set up your practice" });
  const sample = () => page().getByRole("button", { name: "Load the sample study" });

  it("shows the worklist without a dialog", async () => {
    await page().getByRole("heading", { name: "Drop a radiograph anywhere" }).waitFor();
    await setUp().waitFor();
    expect(await page().getByRole("dialog").count()).toBe(0);
    expect(await axeFaultsInBothThemes(page())).toEqual([]);
  });

  it("measures a marked sample film after one click", async () => {
    await sample().click();
    await waitForFilms(page(), ["sample-1.jpg", "sample-2.jpg"]);
    await page().getByTestId("film").filter({ hasText: "Simulated" }).nth(1).waitFor();
    await page().getByText("It shows no real animal.").waitFor();
    await page()
      .getByTestId("film")
      .filter({ hasText: /\d+\.\d v/ })
      .first()
      .waitFor();
    expect(await sample().count()).toBe(0);
  });

  it("links each item of the set-up to its setting", async () => {
    const places = {
      "Language and theme": page().getByLabel("Language", { exact: true }),
      "Practice and letterhead": page().getByLabel("Practice", { exact: true }),
      "Users who sign in": page().getByRole("tab", { name: "Users", selected: true }),
      Camera: page().locator(".place[aria-current=page]").filter({ hasText: "Capture" }),
      "X-ray unit or PACS": page().getByRole("tab", { name: "DICOM", selected: true }),
      "Backup on another disk": page().getByLabel("Folder on another disk or on the network"),
    };
    for (const [name, place] of Object.entries(places)) {
      await page().keyboard.press("Alt+1");
      await setUp().getByRole("button", { name }).click();
      await place.first().waitFor();
    }
  });

  it("keeps the set-up closed after it was closed", async () => {
    await page().keyboard.press("Alt+1");
    await setUp()
      .getByRole("button", { name: /^Close/ })
      .click();
    await setUp().waitFor({ state: "detached" });
    await expect.poll(async () => (await ask(page(), "settings.get", {})).isSetUp).toBe(true);
    await page().reload();
    await page().getByTestId("film").first().waitFor();
    expect(await setUp().count()).toBe(0);
  });

  it("removes the sample study in the settings", async () => {
    await page().keyboard.press("Alt+7");
    await page().getByRole("button", { name: "Remove the sample study" }).click();
    await sample().waitFor();
    expect((await ask(page(), "films.list", {})).total).toBe(0);
  });
});
