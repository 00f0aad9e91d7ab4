// Needs its own process: starts the desktop program, whose modules run once
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { MenuItemConstructorOptions } from "electron";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type * as StandIn from "../../fixtures/electron-stand-in.ts";
import { launchProgram, type LaunchedProgram } from "./launch-program.ts";
import { patience } from "../../fixtures/patience.ts";

let program: LaunchedProgram;
let standIn: typeof StandIn;
const windows = () => standIn.BrowserWindow.opened;
const film = (name: string) => path.resolve("test/fixtures/films", name);
const call = async (channel: string, request: unknown = {}) => {
  const page = windows().at(-1)!.webContents;
  const answer = (await standIn.ipcHandlers.get(channel)!({ senderFrame: page.mainFrame, sender: page }, request)) as {
    ok: boolean;
    value: never;
  };
  expect(answer).toMatchObject({ ok: true });
  return answer.value as { films: { fileName: string }[] } & Record<string, unknown>;
};
/** Within a time that a machine busy with other things keeps. */
const soon = (check: () => void | Promise<void>) => vi.waitFor(check, patience);
const fileNames = async () => (await call("films.list")).films.map(({ fileName }) => fileName).sort();

beforeAll(async () => {
  program = await launchProgram({ files: [film("dog-01.jpg")] });
  standIn = program.standIn;
});
afterAll(async () => {
  await program.quit();
  rmSync(program.dataDir, { recursive: true, force: true });
});

describe("the program under Electron", () => {
  it("opens its window, the service beside it, and the files of the command line", async () => {
    expect([windows().length, windows()[0]!.isShown, windows()[0]!.options]).toMatchObject([
      1,
      true,
      { minWidth: 1024, show: false },
    ]);
    const server = JSON.parse(readFileSync(path.join(program.dataDir, "server.json"), "utf8")) as {
      url: string;
      pid: number;
    };
    expect(server.pid).toBe(process.pid);
    expect(standIn.Tray.toolTip).toBe(`Corvet: Dienst läuft unter ${server.url}`);
    await soon(async () => expect(await fileNames()).toEqual(["dog-01.jpg"]));
  });

  it("opens files that a second start, the system or the dialog names, in the one window", async () => {
    standIn.app.emit(
      "second-instance",
      {},
      ["corvet", "--flag", ".", "dog-02.jpg"],
      path.resolve("test/fixtures/films"),
      { named: ["--flag", "dog-02.jpg"] },
    );
    const preventDefault = vi.fn();
    standIn.app.emit("open-file", { preventDefault }, film("dog-03.jpg"));
    expect(preventDefault).toHaveBeenCalled();
    standIn.dialogAnswers.filePaths = [film("cat-01.jpg")];
    click(standIn.menus.application, "Aufnahmen öffnen …");
    await soon(async () => expect(await fileNames()).toEqual(["cat-01.jpg", "dog-01.jpg", "dog-02.jpg", "dog-03.jpg"]));
    expect(windows().length).toBe(1);
  });

  it("shows the patient of a link that a second start or the system brings, and nothing else that came with it", async () => {
    const patient = { name: "Bella", species: "dog", breed: "", owner: "", uuid: "P-1" };
    const { id } = (await call("patients.create", patient)) as unknown as { id: string };
    const before = await fileNames();
    const asked = async () => ((await call("opening.take")) as unknown as { opening: unknown }).opening;
    const link = "corvet://open?number=P-1";
    standIn.app.emit("second-instance", {}, [], "/", { named: [link, film("dog-04.jpg")] });
    await soon(async () => expect(await asked()).toEqual({ kind: "patient", patientId: id }));
    const preventDefault = vi.fn();
    standIn.app.emit("open-url", { preventDefault }, link);
    expect(preventDefault).toHaveBeenCalled();
    await soon(async () => expect(await asked()).toEqual({ kind: "patient", patientId: id }));
    expect(await fileNames()).toEqual(before);
    expect(windows().length).toBe(1);
  });

  it("says which file cannot be opened, and opens the rest of a folder", async () => {
    const letter = path.join(program.dataDir, "letter.jpg");
    writeFileSync(letter, "no film");
    const named = [letter, path.join(program.dataDir, "missing.png")];
    standIn.app.emit("second-instance", {}, [], "/", { named });
    const faults = () =>
      windows()[0]!.webContents.sent.flatMap(([, event]) =>
        (event as { name: string }).name === "fault"
          ? [(event as { payload: { fault: { message: string } } }).payload.fault.message]
          : [],
      );
    await soon(() =>
      expect(faults()).toEqual([
        "letter.jpg: Films are JPEG, PNG or DICOM; this file is none of them",
        "missing.png: There is no such file",
      ]),
    );
  });

  it("answers the page's bytes by its own scheme", async () => {
    const [first] = (await call("films.list", { search: "dog-01" })).films as unknown as { urls: { image: string } }[];
    const response = await standIn.installed.schemes.get("corvet")!(new Request(`corvet://app${first!.urls.image}`));
    expect(Buffer.from(await response.arrayBuffer()).equals(readFileSync(film("dog-01.jpg")))).toBe(true);
  });

  it("passes events and menu commands on to the page, and speaks the chosen language", async () => {
    const sentBefore = windows()[0]!.webContents.sent.length;
    click(standIn.menus.application, "Arbeitsliste");
    await soon(() =>
      expect(windows()[0]!.webContents.sent.slice(sentBefore)).toContainEqual([
        "event",
        { name: "menu.command", payload: { command: "open-worklist" } },
      ]),
    );
    await call("settings.save", { language: "en" });
    expect(find(standIn.menus.application, "Open Films…")).toMatchObject({ accelerator: "CmdOrCtrl+O" });
    expect(find(standIn.menus.tray, "Open Corvet")).toBeDefined();
    expect(standIn.recorded.map(({ name }) => name)).not.toContain("tray.destroy");
    await call("app.openDataFolder");
    expect(standIn.recorded.at(-1)).toEqual({ name: "openPath", arguments: [program.dataDir] });
    expect(await call("app.about")).toMatchObject({ transport: "electron", dataDir: program.dataDir });
  });

  it("goes on without a window, remembers its place, and opens it again from the tray", async () => {
    windows()[0]!.close();
    standIn.app.emit("window-all-closed");
    expect(standIn.recorded.map(({ name }) => name)).not.toContain("exit");
    expect(existsSync(path.join(program.dataDir, "server.json"))).toBe(true);
    click(standIn.menus.tray, "Open Corvet");
    expect(windows().length).toBe(2);
    expect(windows()[1]!.options).toMatchObject({ x: 40, y: 30, width: 1300, height: 800 });
  });

  it("asks before unsaved changes are lost, and quits with the service when the user agrees", async () => {
    windows()[1]!.isHoldingUnload = true;
    const preventDefault = vi.fn();
    standIn.app.emit("before-quit", { preventDefault });
    expect(preventDefault).toHaveBeenCalled();
    expect(standIn.recorded.at(-1)).toMatchObject({ name: "showMessageBoxSync" });
    expect(await fileNames()).toHaveLength(4);
    standIn.dialogAnswers.messageBox = 1;
    standIn.app.emit("before-quit", { preventDefault });
    standIn.app.emit("before-quit", { preventDefault });
    await vi.waitFor(
      () => expect(standIn.recorded.filter(({ name }) => name === "exit")).toEqual([{ name: "exit", arguments: [0] }]),
      patience,
    );
    expect(existsSync(path.join(program.dataDir, "server.json"))).toBe(false);
  });
});

function find(menu: readonly MenuItemConstructorOptions[], label: string): MenuItemConstructorOptions | undefined {
  for (const item of menu) {
    if (item.label === label) return item;
    const inside = Array.isArray(item.submenu) ? find(item.submenu, label) : undefined;
    if (inside) return inside;
  }
  return undefined;
}

function click(menu: readonly MenuItemConstructorOptions[], label: string): void {
  const item = find(menu, label);
  expect(item, label).toBeDefined();
  (item!.click as () => void)();
}
