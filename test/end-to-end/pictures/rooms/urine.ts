import { createPatient } from "../../actions.ts";
import { ask } from "../../program.ts";
import type { Camera } from "../camera.ts";
import { withProgram } from "./with-program.ts";

export async function roomOfUrine(camera: Camera): Promise<void> {
  await withProgram(camera, {}, async (page) => {
    const { id } = await createPatient(page, "Minka", { species: "cat", owner: "A. Koch" });
    await page.keyboard.press("Alt+3");
    await camera.take(page, "urine-empty");
    await page.getByRole("button", { name: "Choose a cat" }).click();
    await page.getByRole("dialog").waitFor();
    await camera.take(page, "urine-choose");
    await page.getByRole("dialog").getByRole("button", { name: /Minka/ }).click();
    await page.getByLabel("BUN", { exact: true }).fill("900");
    await page.getByLabel("Creatinine", { exact: true }).fill("212");
    await page.getByLabel("Age", { exact: true }).fill("14");
    await camera.take(page, "urine-doubts");
    const values = "BUN 41 mg/dL  CREA 2.4 mg/dL  HGB 9.8 g/dL  LYM 1400 /uL  Age 168";
    await page.getByRole("button", { name: "Clear" }).click();
    await page.getByLabel("Paste lab results").fill(values);
    await page.getByLabel("Paste lab results").blur();
    await page.getByRole("button", { name: "Run screening", exact: true }).click();
    await page.getByTestId("probability").waitFor();
    await camera.take(page, "urine-result");
    await camera.take(page, "urine-what-if", {
      before: () => page.locator(".what-if-row").last().scrollIntoViewIfNeeded(),
    });
    const features = { BUN: 22, CREATININE: 1.3, HGB: 13, "ABSOLUTE LYMPHOCYTES": 2400, age_months: 60 };
    for (const BUN of [22, 31, 48]) await ask(page, "usg.screen", { features: { ...features, BUN }, patientId: id });
    await page.keyboard.press("Alt+1");
    await page.keyboard.press("Alt+3");
    await page.getByRole("group", { name: "Screenings over time" }).waitFor();
    await camera.take(page, "urine-course", { before: () => page.locator(".chart").scrollIntoViewIfNeeded() });
  });
}
