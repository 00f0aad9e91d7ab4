import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Page } from "playwright-core";
import { because } from "../../../../core/app-error.ts";
import type { Health } from "../../../../core/contract/desktop/program.ts";
import { openBella } from "../../prepared.ts";
import { answer, ask } from "../../program.ts";
import type { Camera } from "../camera.ts";
import { withProgram } from "./with-program.ts";

export async function roomOfTroubles(camera: Camera): Promise<void> {
  await withProgram(camera, {}, async (page, program) => {
    await openBella(page);
    const health = await ask(page, "app.health", {});
    const message = "";
    const states: readonly [name: string, health: Partial<Health>][] = [
      ["disk-full", { troubles: [{ code: "LOW_SPACE", message }] }],
      ["queue-full", { isQueueFull: true }],
      ["database-away", { troubles: [{ code: "STORE_UNAVAILABLE", message, reason: because("databaseAway") }] }],
    ];
    for (const [name, changed] of states) {
      await answer(page, "app.health", { ...health, ...changed });
      await shown(page);
      await camera.take(page, `troubles-${name}`);
      await page.unroute("**/app/call/app.health");
    }
    await shown(page);
    await page.keyboard.press("Alt+4");
    await page.getByRole("heading", { name: "No camera found" }).waitFor();
    await camera.take(page, "troubles-no-camera");
    await page.keyboard.press("Alt+1");
    await camera.take(page, "troubles-offline", {
      enter: async () => {
        await program.kill();
        await page.getByRole("alert").first().waitFor();
      },
      leave: async () => {
        await program.startAgain();
        await page.getByRole("alert").first().waitFor({ state: "detached" });
      },
    });
  });
  const program = { packsDir: mkdtempSync(path.join(tmpdir(), "corvet-no-packs-")) };
  await withProgram(camera, { program }, async (page) => {
    await camera.take(page, "troubles-no-model");
    await page.keyboard.press("Alt+3");
    await page.getByRole("heading", { name: "No screening model is loaded" }).waitFor();
    await camera.take(page, "troubles-no-screening");
    await page.keyboard.press("Alt+4");
    await page.getByRole("button", { name: "Open model packs" }).waitFor();
    await camera.take(page, "troubles-no-photographs");
  });
}

async function shown(page: Page): Promise<void> {
  await page.reload();
  await page.locator(".panel").waitFor();
}
