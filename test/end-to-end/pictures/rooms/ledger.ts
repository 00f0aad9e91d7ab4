import { ask } from "../../program.ts";
import type { Camera } from "../camera.ts";
import { withProgram } from "./with-program.ts";

export async function roomOfLedger(camera: Camera): Promise<void> {
  await withProgram(camera, {}, async (page, { origin }) => {
    await page.keyboard.press("Alt+6");
    await camera.take(page, "ledger-empty");
    const { key } = await ask(page, "keys.create", { accountName: "Sommer clinic", name: "Practice software" });
    for (let index = 0; index < 12; index++) {
      const values = { BUN: 20 + index, CREATININE: 1.2, HGB: 12, "ABSOLUTE LYMPHOCYTES": 2000, age_months: 60 };
      await page.request.post(`${origin}/usg/v1/predict`, {
        headers: { "x-api-key": key },
        data: { ...values, clinic_code: "sommer-1" },
      });
    }
    await page.keyboard.press("Alt+1");
    await page.keyboard.press("Alt+6");
    for (const tab of ["Usage", "Entries", "API keys", "Urine report"]) {
      await page.getByRole("tab", { name: tab }).click();
      await camera.take(page, `ledger-${tab.replace(" ", "-").toLowerCase()}`);
    }
    await page.getByRole("tab", { name: "API keys" }).click();
    await page.getByRole("button", { name: "New key" }).click();
    await camera.take(page, "ledger-new-key");
    await page.getByRole("dialog").getByLabel("Account").fill("Sommer clinic");
    await page.getByRole("dialog").getByLabel("Key name").fill("Front desk");
    await page.getByRole("dialog").getByRole("button", { name: "Create" }).click();
    await page.locator(".fresh-key").waitFor();
    await camera.take(page, "ledger-fresh-key");
  });
}
