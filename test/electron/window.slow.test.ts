import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { dropOnWindow, film, measuredFilm } from "./actions.ts";
import {
  answerNext,
  call,
  clickMenu,
  desktopOf,
  driver,
  launch,
  makeDataDir,
  quit,
  removeDataDir,
  type DesktopProgram,
} from "./electron-program.ts";

describe(`the window of ${driver}`, async () => {
  const dataDir = await makeDataDir();
  const bounds = { x: 100, y: 80, width: 1300, height: 800 };
  let program: DesktopProgram;
  let page: Page;
  const windows = () => program.inMain(({ BrowserWindow }) => BrowserWindow.getAllWindows().length);
  const closeWindow = async () => {
    await program.inMain(({ BrowserWindow }) => void BrowserWindow.getAllWindows()[0]?.close());
    await expect.poll(windows).toBe(0);
  };
  beforeAll(async () => {
    program = await launch({ dataDir });
    page = await program.page();
    await call(page, "settings.save", { language: "en", userName: "Dr Weber" });
  });
  afterAll(async () => {
    await program?.end();
    removeDataDir(dataDir);
  });

  it("shows the page of its scheme, without Node", async () => {
    const address = await program.inMain(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.getURL());
    expect(address).toBe("corvet://app/");
    const found = await page.evaluate(() => ["require", "process"].filter((name) => name in window));
    expect(found).toEqual([]);
    const bridge = await page.evaluate(() => Object.keys(Reflect.get(window, "corvet") as object).sort());
    expect(bridge).toEqual(["calls", "platform", "subscribe"]);
  });

  it("serves every answer of its scheme with a policy without unsafe parts", async () => {
    const policies = await page.evaluate(() =>
      Promise.all(
        ["/", "/assets/none.js", "/app/films/none/pixels"].map(
          async (url) => (await fetch(url)).headers.get("content-security-policy") ?? "",
        ),
      ),
    );
    for (const policy of policies) {
      expect(policy).toContain("default-src 'none'");
      expect(policy).not.toMatch(/unsafe|\*|http/);
    }
  });

  it("leads nowhere else, opens no other window, and refuses the microphone", async () => {
    const before = page.url();
    await page.evaluate(() => window.location.assign("https://example.com/"));
    const refused = await page.evaluate(async () => [
      await fetch("https://localhost/").then(
        () => "loaded",
        () => "refused",
      ),
      String(window.open("https://example.com/")),
      await navigator.mediaDevices.getUserMedia({ audio: true }).then(
        () => "heard",
        (error: Error) => error.name,
      ),
    ]);
    expect(refused).toEqual(["refused", "null", expect.stringMatching(/NotAllowed|NotFound/)]);
    expect([page.url(), await windows()]).toEqual([before, 1]);
  });

  it("shows the page no device but the camera", async () => {
    const found = await page.evaluate(async () => {
      const states = ["camera", "microphone", "geolocation", "notifications"].map(
        async (name) => (await navigator.permissions.query({ name: name as "geolocation" })).state,
      );
      const devices = await navigator.mediaDevices.enumerateDevices();
      const named = devices.filter(({ label }) => label !== "").map(({ kind }) => kind);
      return { states: await Promise.all(states), named: [...new Set(named)], kinds: devices.map(({ kind }) => kind) };
    });
    expect(found).toMatchObject({ states: ["granted", "denied", "denied", "denied"], named: ["videoinput"] });
    expect(found.kinds).toContain("audioinput");
  });

  it("answers malformed calls of a page with a failure", async () => {
    const answers = await page.evaluate(async () => {
      const { calls } = Reflect.get(window, "corvet") as {
        calls: Record<string, (request: unknown) => Promise<unknown>>;
      };
      const wrong = [null, "text", 7, [], new Map(), { filmId: 1n }, { surprise: 1 }, new Uint8Array(9)];
      const cyclic: { self?: unknown } = {};
      cyclic.self = cyclic;
      return await Promise.all(
        [...wrong, cyclic, () => 1].map(async (request) => {
          try {
            return ((await calls["films.get"]?.(request)) as { code: string }).code;
          } catch (error) {
            return error instanceof Error ? "thrown" : "other";
          }
        }),
      );
    });
    expect(new Set(answers)).toEqual(new Set(["INVALID_FIELD", "thrown"]));
  });

  it("keeps the service without a window, and opens it for a command of the menu", async () => {
    await program.inMain(({ BrowserWindow }, at) => BrowserWindow.getAllWindows()[0]?.setBounds(at), bounds);
    await closeWindow();
    expect(existsSync(path.join(dataDir, "server.json"))).toBe(true);
    await clickMenu(program, "Urine Screening");
    page = await program.page();
    await page.getByRole("heading", { name: "Urine concentration screening" }).waitFor();
    expect(JSON.parse(readFileSync(path.join(dataDir, "window.json"), "utf8"))).toMatchObject(bounds);
    expect(await program.inMain(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getBounds())).toEqual(bounds);
  });

  it("reports a file of another kind, opened by the system without a window", async () => {
    await closeWindow();
    const letter = path.join(dataDir, "letter.jpg");
    writeFileSync(letter, "no film");
    await program.inMain(
      ({ app }, file) => void app.emit("open-file", { preventDefault: () => undefined }, file),
      letter,
    );
    page = await program.page();
    await page.getByText("letter.jpg").first().waitFor();
  });

  it("asks before an unsaved correction is left", async () => {
    await dropOnWindow(page, [film("dog-02.jpg")]);
    await measuredFilm(page, "dog-02.jpg");
    await page.getByTestId("vhs").waitFor();
    await page.keyboard.press("c");
    await page.locator("[data-handle=heart_bottom]").focus();
    await page.keyboard.press("Shift+ArrowDown");
    await answerNext(program, 0);
    await program.inMain(({ BrowserWindow }) => void BrowserWindow.getAllWindows()[0]?.close());
    await expect.poll(async () => (await desktopOf(program)).asked.at(-1)?.kind).toBe("showMessageBoxSync");
    expect(await windows()).toBe(1);
  });

  it("quits with its service when the user discards the correction", async () => {
    await answerNext(program, 1);
    expect(await quit(program)).toBe(0);
    expect(existsSync(path.join(dataDir, "server.json"))).toBe(false);
  });
});
