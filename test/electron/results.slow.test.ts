import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { english } from "../../core/language/english.ts";
import { french } from "../../core/language/french.ts";
import { fakeCamera } from "../end-to-end/fake-camera.ts";
import { dropOnWindow, film, filmNamed, measuredFilm } from "./actions.ts";
import { call, clickMenu, desktopOf, driver, isOnTwin, pressMenuKeys } from "./electron-program.ts";
import { shareProgram } from "./for-tests.ts";

describe(`results in the window of ${driver}`, () => {
  let folder: string;
  /** File with the arguments of the mail program on Linux, one per line. */
  let mailed: string;
  const shared = shareProgram(async (ofDataDir) => {
    folder = ofDataDir;
    mailed = path.join(folder, "mailed");
    const mailProgram = path.join(folder, "xdg-email");
    writeFileSync(mailProgram, `#!/bin/sh\nprintf '%s\\n' "$@" > "${mailed}"\n`);
    chmodSync(mailProgram, 0o755);
    const photographs = [1, 2, 3].map((number) => path.resolve(`test/fixtures/session/frame-${number}.jpg`));
    return {
      chromium: await fakeCamera(photographs),
      environment: { PATH: `${folder}${path.delimiter}${process.env["PATH"]}` },
    };
  });
  const share = async (entry: string) => {
    await shared.page.getByRole("button", { name: "Share" }).click();
    await shared.page.getByRole("menuitem", { name: entry }).click();
  };

  it("accepts a reading and prints the patient's trend", async () => {
    await dropOnWindow(shared.page, [film("dog-02.jpg")]);
    const { id } = await measuredFilm(shared.page, "dog-02.jpg");
    await shared.page.getByTestId("vhs").waitFor();
    await shared.page.getByRole("button", { name: "Accept" }).click();
    await expect.poll(async () => (await filmNamed(shared.page, "dog-02.jpg"))?.reading?.verdict).toBe("accepted");
    const bella = { name: "Bella", species: "dog", breed: "", owner: "Müller", uuid: null } as const;
    await call(shared.page, "films.assignPatient", {
      filmIds: [id],
      patientId: (await call(shared.page, "patients.create", bella)).id,
    });
    await shared.page.keyboard.press("Alt+2");
    await shared.page.getByRole("heading", { name: "Bella" }).first().waitFor();
    await shared.page.emulateMedia({ media: "print" });
    expect(await shared.page.locator(".rail").isVisible()).toBe(false);
    expect(await shared.page.getByRole("heading", { name: "Bella" }).first().isVisible()).toBe(true);
    await shared.page.emulateMedia({ media: null });
    const pdf = await shared.program.inMain(async ({ BrowserWindow }) => {
      const printed = await BrowserWindow.getAllWindows()[0]?.webContents.printToPDF({});
      return printed?.toString("latin1");
    });
    expect(pdf).toMatch(/^%PDF-[^]*\/Type \/Page\b/);
    // In Electron, window.print would open the system's print dialog, which would stay open.
    if (!isOnTwin)
      await shared.page.evaluate(() => (window.print = () => void window.dispatchEvent(new Event("beforeprint"))));
    const isPrinting = shared.page.evaluate(
      () => new Promise<boolean>((resolve) => window.addEventListener("beforeprint", () => resolve(true))),
    );
    await shared.page.getByRole("button", { name: "Print" }).click();
    expect(await isPrinting).toBe(true);
  });

  it("saves the handout", async () => {
    await shared.page.keyboard.press("Alt+1");
    const saved = path.join(folder, "handout.pdf");
    await shared.program.inMain(({ session }, file) => {
      session.defaultSession.once("will-download", (_event, item) => item.setSavePath(file));
    }, saved);
    await share("Handout (PDF)");
    await expect.poll(() => existsSync(saved) && readFileSync(saved).subarray(0, 5).toString()).toBe("%PDF-");
  });

  it("opens a mail draft with the handout", async () => {
    await share("Send handout by e-mail…");
    if (process.platform === "linux") {
      await expect
        .poll(() => existsSync(mailed) && readFileSync(mailed, "utf8"))
        .toMatch(/^--attach\n.*Bella.*\.pdf$/m);
      expect(readFileSync(mailed, "utf8")).toMatch(/^--subject\nBella: /m);
    } else
      await expect
        .poll(async () => (await desktopOf(shared.program)).opened.at(-1))
        .toMatch(/openPath .*message\.eml$/);
  });

  it("measures the films among dropped files and lists the other files", async () => {
    const mixed = path.join(folder, "mixed");
    mkdirSync(mixed);
    const films = ["dog-03.jpg", "cat-01.jpg"];
    for (const name of films) copyFileSync(film(name), path.join(mixed, name));
    const unreadable = ["a.jpg", "b.dcm", "c.txt"];
    for (const name of unreadable) writeFileSync(path.join(mixed, name), "no film");
    await dropOnWindow(
      shared.page,
      [...films, ...unreadable].map((name) => path.join(mixed, name)),
    );
    for (const name of films) await measuredFilm(shared.page, name);
    await shared.page.getByText("3 files were not opened").waitFor();
    await shared.page.getByRole("button", { name: "Show details" }).click();
    const listed = shared.page.getByRole("dialog").locator("dt");
    await expect.poll(async () => (await listed.allInnerTexts()).sort()).toEqual(unreadable);
    await shared.page.keyboard.press("Escape");
  });

  it("measures a screen in front of the camera", async () => {
    await shared.page.keyboard.press("Alt+4");
    await shared.page.getByTestId("outline").waitFor();
    await shared.page.getByRole("button", { name: "Start" }).click();
    await shared.page.getByText("Photograph of a screen, rectified").waitFor();
    const { films } = await call(shared.page, "films.list", {});
    const captured = films.filter(({ origin }) => origin === "capture");
    expect(captured).toMatchObject([{ state: "done", reading: { source: "model" } }]);
  });

  it("changes the language of page and menu", async () => {
    await call(shared.page, "settings.save", { language: "fr" });
    await shared.page.locator("html[lang=fr]").waitFor();
    await clickMenu(shared.program, "Liste de travail");
    await shared.page.getByTestId("film").first().waitFor();
    const labels = await shared.program.inMain(({ Menu }) =>
      Menu.getApplicationMenu()?.items.flatMap(({ submenu }) => submenu?.items.map(({ label }) => label) ?? []),
    );
    const { undo, selectAll, close, minimize } = french.menu;
    expect(labels).toEqual(expect.arrayContaining([undo, selectAll, close, minimize]));
  });

  it("supports the shortcuts of the menu", async () => {
    await call(shared.page, "settings.save", { language: "en" });
    await shared.page.locator("html[lang=en]").waitFor();
    const press = (keys: string, label: string) => pressMenuKeys(shared.program, shared.page, keys, label);
    await press("ControlOrMeta+Comma", english.menu.settings);
    await shared.page.getByRole("tab", { name: "General" }).waitFor();
    await press("ControlOrMeta+o", english.menu.open);
    await expect.poll(async () => (await desktopOf(shared.program)).asked.at(-1)?.kind).toBe("showOpenDialog");
    await press("ControlOrMeta+q", english.menu.quit);
    expect(await shared.program.exited).toBe(0);
  });
});
