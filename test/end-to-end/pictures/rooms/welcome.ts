import type { Camera } from "../camera.ts";
import { withProgram } from "./with-program.ts";

/** The first run, step by step. */
export async function roomOfWelcome(camera: Camera): Promise<void> {
  await withProgram(camera, { isFirstRun: true }, async (page) => {
    const dialog = page.getByRole("dialog", { name: "Welcome to Corvet" });
    for (const step of ["language", "practice", "data", "people", "people-several", "devices", "sample"]) {
      if (step === "people-several") await dialog.getByLabel("Who uses Corvet here?").selectOption("several");
      await camera.take(page, `welcome-${step}`);
      if (step !== "people" && step !== "sample") await dialog.getByRole("button", { name: "Next" }).click();
    }
  });
}
