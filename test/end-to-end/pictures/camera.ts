import { mkdirSync } from "node:fs";
import path from "node:path";
import type { Browser, Page } from "playwright-core";
import type { Language } from "../../../core/language/languages.ts";
import { axeFaults } from "../actions.ts";
import { ask, openWindow, type Window } from "../program.ts";
import { cutTexts } from "./cut-texts.ts";

export type Theme = "dark" | "light";

export type Shoot = {
  readonly folder: string;
  readonly languages: readonly Language[];
  readonly themes: readonly Theme[];
  readonly sizes: readonly [Size, ...Size[]];
  readonly density: number;
  /** Prefixes of the names of pictures to take; all if empty. */
  readonly only: readonly string[];
  /** Whether axe checks each state, in the first size. */
  readonly isChecked: boolean;
};
export type Size = { readonly width: number; readonly height: number };

type Around = {
  readonly enter?: () => Promise<unknown>;
  readonly leave?: () => Promise<unknown>;
  /** Runs just before each picture, once the page is at rest, for example to hover an element. */
  readonly before?: () => Promise<unknown>;
};

/** Takes each state in every requested language, theme and size, and reports texts that do not fit. */
export type Camera = {
  readonly shoot: Shoot;
  readonly faults: readonly string[];
  open(browser: Browser, address: string, options?: Parameters<typeof openWindow>[2]): Promise<Window>;
  take(page: Page, name: string, around?: Around): Promise<void>;
};

const settleMs = 350;

export function openCamera(shoot: Shoot): Camera {
  const faults: string[] = [];
  mkdirSync(shoot.folder, { recursive: true });
  const take: Camera["take"] = async (page, name, { enter, leave, before } = {}) => {
    if (shoot.only.length > 0 && !shoot.only.some((start) => name.startsWith(start))) return;
    await closeMessages(page);
    for (const language of shoot.languages)
      for (const theme of shoot.themes) {
        await dress(page, theme, language);
        await enter?.();
        for (const size of shoot.sizes) {
          const file = `${name}.${language}-${theme}-${size.width}.png`;
          await page.setViewportSize(size);
          await atRest(page);
          if (before) await before().then(() => page.waitForTimeout(settleMs));
          await page.screenshot({ path: path.join(shoot.folder, file) });
          faults.push(...(await cutTexts(page)).map((fault) => `${file}: ${fault}`));
          if (shoot.isChecked && size === shoot.sizes[0])
            faults.push(...(await axeFaults(page)).map((fault) => `${file}: ${fault}`));
        }
        await leave?.();
      }
    await page.setViewportSize(shoot.sizes[0]);
    await dress(page, "dark", "en");
    process.stdout.write(`${name}\n`);
  };
  const open: Camera["open"] = (browser, address, options = {}) =>
    openWindow(browser, address, { viewport: shoot.sizes[0], deviceScaleFactor: shoot.density, ...options });
  return { shoot, faults, take, open };
}

/** Closes earlier messages, unless a dialog covers them. */
async function closeMessages(page: Page): Promise<void> {
  if ((await page.locator("[role=dialog], [role=alertdialog]").count()) > 0) return;
  for (const close of await page.locator(".toast button[aria-label=Close]").all()) await close.click();
}

/** Waits for fonts, thumbnails and colours, with the pointer where it shows no tooltip. */
async function atRest(page: Page): Promise<void> {
  await page.mouse.move(0, 0);
  await page.waitForTimeout(settleMs);
}

export async function dress(page: Page, theme: Theme, language: Language): Promise<void> {
  await ask(page, "settings.save", { theme, language });
  await page.locator(`html[data-theme=${theme}][lang=${language}]`).waitFor();
}
