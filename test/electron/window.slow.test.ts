import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { dropOnWindow, film, measuredFilm } from "./actions.ts";
import { answerNext, clickMenu, desktopOf, driver, quit } from "./electron-program.ts";
import { shareProgram } from "./for-tests.ts";

describe(`the window of ${driver}`, () => {
  const shared = shareProgram();
  const bounds = { x: 100, y: 80, width: 1300, height: 800 };
  const windows = () => shared.program.inMain(({ BrowserWindow }) => BrowserWindow.getAllWindows().length);
  const closeWindow = async () => {
    await shared.program.inMain(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close());
    await expect.poll(windows).toBe(0);
  };

  it("shows the page of the custom scheme, without Node", async () => {
    const address = await shared.program.inMain(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()[0]?.webContents.getURL(),
    );
    expect(address).toBe("corvet://app/");
    const found = await shared.page.evaluate(() => ["require", "process"].filter((name) => name in window));
    expect(found).toEqual([]);
    const bridge = await shared.page.evaluate(() => Object.keys(Reflect.get(window, "corvet") as object).sort());
    expect(bridge).toEqual(["calls", "platform", "subscribe"]);
  });

  it("serves all responses of the scheme with a strict content security policy", async () => {
    const policies = await shared.page.evaluate(() =>
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

  it("refuses navigation, other windows and the microphone", async () => {
    const before = shared.page.url();
    await shared.page.evaluate(() => window.location.assign("https://example.com/"));
    const refused = await shared.page.evaluate(async () => [
      await fetch("https://localhost/").then(
        () => "loaded",
        () => "refused",
      ),
      window.open("https://example.com/"),
      await navigator.mediaDevices.getUserMedia({ audio: true }).then(
        () => "heard",
        (error: Error) => error.name,
      ),
    ]);
    expect(refused).toEqual(["refused", null, expect.stringMatching(/NotAllowed|NotFound/)]);
    expect([shared.page.url(), await windows()]).toEqual([before, 1]);
    await clickMenu(shared.program, "Urine Screening");
    await shared.page.getByRole("heading", { name: "Urine concentration screening" }).waitFor();
  });

  it("grants the page no device except the camera", async () => {
    const found = await shared.page.evaluate(async () => {
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

  it("returns a failure for malformed calls of the page", async () => {
    const answers = await shared.page.evaluate(async () => {
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

  it("keeps the service running without a window and opens it for a menu command, hidden until drawn", async () => {
    await shared.program.inMain(({ BrowserWindow }, at) => BrowserWindow.getAllWindows()[0]?.setBounds(at), bounds);
    await closeWindow();
    expect(existsSync(path.join(shared.dataDir, "server.json"))).toBe(true);
    await shared.program.inMain(({ app, BrowserWindow }) => {
      app.once("web-contents-created", (_event, contents) => {
        const watch = () => void seen.push(BrowserWindow.getAllWindows()[0]?.isVisible() === true);
        const seen: boolean[] = [];
        Object.assign(globalThis, { seen });
        contents.once("did-start-navigation", watch);
        contents.once("did-finish-load", () => setImmediate(watch));
      });
    });
    await clickMenu(shared.program, "Urine Screening");
    shared.page = await shared.program.page();
    await shared.page.getByRole("heading", { name: "Urine concentration screening" }).waitFor();
    expect(await shared.program.inMain(() => Reflect.get(globalThis, "seen") as boolean[])).toEqual([false, true]);
    expect(JSON.parse(readFileSync(path.join(shared.dataDir, "window.json"), "utf8"))).toMatchObject(bounds);
    expect(
      await shared.program.inMain(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getNormalBounds()),
    ).toEqual(bounds);
  });

  it("opens its window to report an unreadable file that the system opened", async () => {
    await closeWindow();
    const letter = path.join(shared.dataDir, "letter.jpg");
    writeFileSync(letter, "no film");
    await shared.program.inMain(
      ({ app }, file) => void app.emit("open-file", { preventDefault: () => undefined }, file),
      letter,
    );
    shared.page = await shared.program.page();
    await shared.page.getByText("letter.jpg").first().waitFor();
  });

  it("asks before an unsaved correction is discarded", async () => {
    await dropOnWindow(shared.page, [film("dog-02.jpg")]);
    await measuredFilm(shared.page, "dog-02.jpg");
    await shared.page.getByTestId("vhs").waitFor();
    await shared.page.keyboard.press("c");
    await shared.page.locator("[data-handle=heart_bottom]").focus();
    await shared.page.keyboard.press("Shift+ArrowDown");
    await answerNext(shared.program, 0);
    await shared.program.inMain(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close());
    await expect.poll(async () => (await desktopOf(shared.program)).asked.at(-1)?.kind).toBe("showMessageBoxSync");
    // Scripts of the page wait until its dialog is closed.
    expect(await shared.page.locator("[data-handle=heart_bottom]").count()).toBe(1);
    expect(await windows()).toBe(1);
  });

  it("quits with its service when the user discards the correction", async () => {
    await answerNext(shared.program, 1);
    expect(await quit(shared.program)).toBe(0);
    expect(existsSync(path.join(shared.dataDir, "server.json"))).toBe(false);
  });
});
