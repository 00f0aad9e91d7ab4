import { expect, test } from "vitest";
import { ask, type Window } from "../program.ts";

/** Trends and the urine screening. */
export function followingJourneys(window: () => Window): void {
  test("a patient's scores are followed over time with reference band, marked rise, table and CSV", async () => {
    const { page } = window();
    const { patients } = await ask(page, "patients.list", { search: "Bella" });
    const { films } = await ask(page, "films.list", {});
    const others = films.filter((film) => film.reading?.vhs && !film.patient && film.reading.verdict !== "rejected");
    for (const [index, film] of others.entries()) {
      await ask(page, "films.assignPatient", { filmIds: [film.id], patientId: patients[0]!.id });
      await ask(page, "films.edit", { filmId: film.id, takenAt: new Date(Date.UTC(2026, 3 + index * 2, 5)).toISOString() });
    }
    await page.keyboard.press("Alt+2");
    await page.getByRole("button", { name: /Bella/ }).click();
    await page.getByRole("heading", { name: "Bella" }).waitFor();
    const points = page.getByRole("link", { name: /^VHS .* open the film$/ });
    expect(await points.count()).toBe(others.length + 1);
    expect(await page.locator(".trend-chart .band").count()).toBe(2);
    expect(await page.getByRole("row").count()).toBe(others.length + 2);
    const trend = await ask(page, "trends.get", { patientId: patients[0]!.id });
    expect(await page.getByTestId("marked-rise").count()).toBe([trend.vhs, trend.vlas].filter((rate) => rate?.isMarked).length);
    const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Save as CSV" }).click()]);
    expect(download.suggestedFilename()).toMatch(/\.csv$/);
  });

  test("two films are compared side by side with the change between them", async () => {
    const { page } = window();
    await page.keyboard.press("Alt+2");
    await page.getByRole("button", { name: /Bella/ }).click();
    const boxes = page.getByRole("checkbox");
    await boxes.nth(0).check();
    await boxes.nth(1).check();
    await page.getByRole("button", { name: "Compare two films" }).click();
    const differences = page.getByTestId("differences");
    await differences.waitFor();
    expect(await differences.innerText()).toMatch(/VHS [\d.]+ → [\d.]+ [+−±][\d.]+ v/);
    await expect.poll(() => page.locator(".compared-stage .landmark").count()).toBe(10);
    await page.getByRole("region", { name: "Compare two films" }).getByRole("button", { name: "Close" }).click();
  });

  test("a point of the chart opens its film", async () => {
    const { page } = window();
    await page.keyboard.press("Alt+2");
    await page.getByRole("button", { name: /Bella/ }).click();
    await page.getByRole("link", { name: /^VHS .* open the film$/ }).first().click();
    await page.getByRole("region", { name: "Worklist" }).waitFor();
    await page.getByTestId("vhs").locator("small").waitFor();
  });

  test("five values are screened; units switch, warnings are the interface's own words, contributions are signed and sorted", async () => {
    const { page } = window();
    const cat = await ask(page, "patients.create", { name: "Minka", species: "cat", breed: "", owner: "A. Koch", uuid: null });
    expect(cat.species).toBe("cat");
    await page.keyboard.press("Alt+3");
    await page.getByRole("button", { name: "Choose a cat" }).click();
    await page.getByRole("dialog").getByRole("button", { name: /Minka/ }).click();
    await page.getByLabel("BUN", { exact: true }).fill("41");
    await page.getByLabel("Creatinine", { exact: true }).fill("212");
    await page.getByLabel("Haemoglobin", { exact: true }).fill("9,8");
    await page.getByLabel("Lymphocytes, absolute", { exact: true }).fill("1400");
    await page.getByLabel("Age", { exact: true }).fill("14");
    await page.getByLabel("Unit of Age").selectOption("1");
    expect(await page.getByLabel("Age", { exact: true }).inputValue()).toBe("1.167");
    await page.getByLabel("Age", { exact: true }).fill("14");
    await page.getByRole("button", { name: "Screen", exact: true }).click();
    await page.getByTestId("probability").waitFor();
    await page.getByText("Creatinine (mg/dL): 212 -> 2.4 (converted from umol/L to mg/dL)").waitFor();
    const bars = await page.getByTestId("shap").allInnerTexts();
    expect(bars).toHaveLength(5);
    const sizes = bars.map((bar) => Math.abs(Number(/[+−±]([\d.]+)\s*$/.exec(bar)![1])));
    expect(sizes).toEqual([...sizes].sort((a, b) => b - a));
    expect(bars.join(" ")).toMatch(/raises the risk by|lowers the risk by/);
    expect(await page.getByTestId("risk-tier").innerText()).toMatch(/risk$/);
  });

  test("sliders ask the model what if, and store nothing", async () => {
    const { page } = window();
    const before = await page.getByTestId("probability").innerText();
    const slider = page.getByRole("slider", { name: "Creatinine" });
    await slider.focus();
    await page.keyboard.press("Home");
    await expect.poll(() => page.getByTestId("probability").innerText()).not.toBe(before);
    await page.getByRole("button", { name: "Back to the measured values" }).click();
    await expect.poll(() => page.getByTestId("probability").innerText()).toBe(before);
    await expect.poll(() => page.getByRole("region", { name: "Earlier screenings" }).getByRole("row").count()).toBe(2);
  });

  test("the screening is printed on white paper without the chrome of the program", async () => {
    const { page } = window();
    await page.emulateMedia({ media: "print" });
    expect(await page.locator(".rail").isVisible()).toBe(false);
    expect(await page.getByTestId("probability").isVisible()).toBe(true);
    expect(await page.getByText("Not clinically validated").first().isVisible()).toBe(true);
    expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe("rgb(255, 255, 255)");
    await page.emulateMedia({ media: null });
  });

  test("a laboratory row is pasted; an implausible value is named", async () => {
    const { page } = window();
    await page.getByRole("button", { name: "Clear" }).click();
    const field = page.getByLabel("Paste a lab row");
    await field.fill("BUN\tCREA\tHGB\tLYMPH\tAGE\n28\t1,4\t13,1\t2400\t96");
    await field.blur();
    expect(await page.getByLabel("Haemoglobin", { exact: true }).inputValue()).toBe("13.1");
    await page.getByLabel("BUN", { exact: true }).fill("900");
    await page.getByRole("button", { name: "Screen", exact: true }).click();
    await page.getByText("Out of range: BUN must be 1 to 300").waitFor();
  });
}
