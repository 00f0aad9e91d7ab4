import { writeFileSync } from "node:fs";
import path from "node:path";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { film, filmNamed, pidOfService } from "./actions.ts";
import { call, driver, isOnTwin, type DesktopProgram } from "./electron-program.ts";
import { shareProgram } from "./for-tests.ts";

const emit = (program: DesktopProgram, name: string, ...args: string[]) =>
  program.inMain(
    ({ app }, [event, ...more]) => void app.emit(event as "open-url", { preventDefault: () => undefined }, ...more),
    [name, ...args],
  );

describe.runIf(isOnTwin || process.platform === "darwin")(`macOS on ${driver}`, () => {
  // Playwright connects to Electron only once the application is ready.
  const shared = shareProgram((folder) => {
    if (!isOnTwin) return {};
    const unreadable = path.join(folder, "early.jpg");
    writeFileSync(unreadable, "no film");
    return { named: ["--hidden"], platform: "darwin", openedEarly: [film("dog-01.jpg"), unreadable] };
  });
  const windows = () => shared.program.inMain(({ BrowserWindow }) => BrowserWindow.getAllWindows().length);
  const closeWindow = async () => {
    await shared.program.inMain(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close());
    await expect.poll(windows).toBe(0);
  };

  it.runIf(isOnTwin)("opens files that macOS passes before a hidden start is ready", async () => {
    await expect.poll(() => filmNamed(shared.page, "dog-01.jpg")).toBeDefined();
    await shared.page.getByText("early.jpg").first().waitFor();
  });

  it("has the system's menus and a template image in the menu bar, without a click handler", async () => {
    const menus = await shared.program.inMain(({ Menu }) =>
      Menu.getApplicationMenu()?.items.map(({ label, submenu }) => [label, submenu?.items.at(-1)?.label]),
    );
    expect(menus?.[0]).toEqual(["Corvet", "Quit Corvet"]);
    const trays = await shared.program.inMain(({ Tray }) =>
      (Tray as unknown as { all?: (NodeJS.EventEmitter & { image: string })[] }).all?.map((tray) => ({
        image: tray.image,
        clicks: tray.listenerCount("click"),
      })),
    );
    const image = path.resolve("build", "trayTemplate.png");
    if (isOnTwin) expect(trays).toEqual([{ image, clicks: 0 }]);
    const { width, height } = await sharp(image).metadata();
    expect([width, height]).toEqual([16, 16]);
  });

  it("keeps running without a window and opens it when the program is activated", async () => {
    await closeWindow();
    await emit(shared.program, "activate");
    shared.page = await shared.program.page();
    expect(pidOfService(shared.dataDir)).not.toBeNull();
  });

  it("reopens its window if it is activated while the window closes", async () => {
    const closing = shared.page.waitForEvent("close");
    await shared.program.inMain(({ app, BrowserWindow }) => {
      BrowserWindow.getAllWindows()[0]?.close();
      app.emit("activate");
    });
    await closing;
    shared.page = await shared.program.page();
    expect(await windows()).toBe(1);
  });

  it("opens its window for a film and for a link that the system passes", async () => {
    const patient = { name: "Bella", species: "dog", breed: "", owner: "", uuid: "P-1" } as const;
    await call(shared.page, "patients.create", patient);
    await closeWindow();
    await emit(shared.program, "open-file", film("dog-02.jpg"));
    shared.page = await shared.program.page();
    await expect.poll(() => filmNamed(shared.page, "dog-02.jpg")).toBeDefined();
    await closeWindow();
    await emit(shared.program, "open-url", "corvet://open?number=P-1");
    shared.page = await shared.program.page();
    await shared.page.getByRole("heading", { name: "Bella" }).first().waitFor();
  });

  it("closes its service and exits when the user logs out", async () => {
    await shared.program.inMain(({ powerMonitor }) => {
      const event = { preventDefault: () => undefined };
      setImmediate(() => (powerMonitor as NodeJS.EventEmitter).emit("shutdown", event));
    });
    expect(await shared.program.exited).toBe(0);
    expect(pidOfService(shared.dataDir)).toBeNull();
  });
});
