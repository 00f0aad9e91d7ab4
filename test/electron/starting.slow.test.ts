import { copyFileSync, mkdirSync, readdirSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { openStore } from "../../main/store/database.ts";
import { dropOnWindow, film, filmNamed, pidOfService, setInputFile } from "./actions.ts";
import { call, driver, isOnTwin, quit, startAgain } from "./electron-program.ts";
import { dataDirForTest, launchForTest, shareProgram } from "./for-tests.ts";

const hasSealedHead = (dataDir: string) =>
  readdirSync(path.dirname(dataDir)).some((name) => name.startsWith("corvet-head-"));

describe(`a start of ${driver}`, () => {
  const shared = shareProgram((folder) => ({
    named: [film("dog-01.jpg")],
    environment: { TWIN_KEY_RING: "basic_text", XDG_CONFIG_HOME: folder },
  }));
  const fileNames = async () =>
    (await call(shared.page, "films.list", {})).films.map(({ fileName }) => fileName).sort();

  it("opens the film of its command line", async () => {
    // core.test.ts tests that films are measured.
    await call(shared.page, "settings.save", { measuresOnArrival: false });
    await expect.poll(() => filmNamed(shared.page, "dog-01.jpg")).toBeDefined();
  });

  it("opens the films and folders of a second start, and nothing for a second start without files", async () => {
    const folder = path.join(path.dirname(shared.dataDir), "Röntgen vom Montag");
    mkdirSync(folder);
    for (const name of ["dog-04.jpg", "cat-01.jpg"]) copyFileSync(film(name), path.join(folder, name));
    for (const name of ["a.jpg", "c.dcm", "d.pdf"]) writeFileSync(path.join(folder, name), "no film");
    expect(await startAgain({ dataDir: shared.dataDir })).toBe(0);
    expect(await startAgain({ dataDir: shared.dataDir, named: [film("dog-03.jpg"), folder] })).toBe(0);
    await expect.poll(fileNames).toEqual(["cat-01.jpg", "dog-01.jpg", "dog-03.jpg", "dog-04.jpg"]);
  });

  it("shows the patient of a link and ignores the arguments after it", async () => {
    const patient = { name: "Bella", species: "dog", breed: "", owner: "", uuid: "P-1" } as const;
    await call(shared.page, "patients.create", patient);
    const before = await fileNames();
    const named = ["corvet://open?number=P-1", film("dog-08.jpg")];
    expect(await startAgain({ dataDir: shared.dataDir, named })).toBe(0);
    await shared.page.getByRole("heading", { name: "Bella" }).first().waitFor();
    expect(await fileNames()).toEqual(before);
  });

  it("opens the films of a dropped folder and refuses a file of more than 256 MB before it is read", async () => {
    const folder = path.join(path.dirname(shared.dataDir), "CD");
    mkdirSync(path.join(folder, "Bilder"), { recursive: true });
    copyFileSync(film("dog-large-01.jpg"), path.join(folder, "Bilder", "dog-large-01.jpg"));
    writeFileSync(path.join(folder, "video"), "");
    truncateSync(path.join(folder, "video"), 257 * 1024 * 1024);
    const sent: string[] = [];
    shared.page.on("request", (request) => sent.push(new URL(request.url()).searchParams.get("name") ?? ""));
    await dropOnWindow(shared.page, [folder]);
    await expect.poll(() => filmNamed(shared.page, "dog-large-01.jpg")).toBeDefined();
    await shared.page.getByText("video: The file is too large").waitFor();
    expect(sent.filter((name) => name !== "")).toEqual(["dog-large-01.jpg"]);
  });

  it("reports a file that is deleted between its drop and its upload", async () => {
    const vanishing = path.join(path.dirname(shared.dataDir), "vanishing.jpg");
    copyFileSync(film("dog-08.jpg"), vanishing);
    await shared.page.evaluate(() =>
      document.body.append(Object.assign(document.createElement("input"), { type: "file", id: "given" })),
    );
    await setInputFile(shared.page, "#given", vanishing);
    rmSync(vanishing);
    await shared.page.evaluate(() => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(document.querySelector<HTMLInputElement>("#given")!.files![0]!);
      document.body.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
    });
    await shared.page.getByText("vanishing.jpg").first().waitFor();
    expect(await filmNamed(shared.page, "vanishing.jpg")).toBeUndefined();
  });

  it("restarts with the film of a second start that arrives while the service closes", async () => {
    const { dataDir, program } = shared;
    const [before, { isSealed }] = [pidOfService(dataDir), await call(shared.page, "database.get", {})];
    await program.inMain(
      ({ app, BrowserWindow }, named) =>
        void BrowserWindow.getAllWindows()[0]?.once("closed", () =>
          app.emit("second-instance", {}, [], "/", { named: [named] }),
        ),
      film("dog-08.jpg"),
    );
    expect(await quit(program)).toBe(0);
    await expect.poll(() => pidOfService(dataDir) ?? before).not.toBe(before);
    const pid = pidOfService(dataDir)!;
    onTestFinished(() => void process.kill(pid, "SIGKILL"));
    const db = await openStore(dataDir);
    onTestFinished(() => db.destroy());
    const names = async () => (await db.selectFrom("films").select("fileName").execute()).map((row) => row.fileName);
    await expect.poll(names).toContain("dog-08.jpg");
    // In Electron, the key ring depends on the system.
    if (isOnTwin) expect([isSealed, hasSealedHead(dataDir)]).toEqual([false, false]);
  });
});

it(`starts hidden at log-in, opens its window at a second start, and uses the key ring of ${driver}`, async () => {
  const dataDir = await dataDirForTest();
  const environment = { TWIN_KEY_RING: "gnome_libsecret", XDG_CONFIG_HOME: path.dirname(dataDir) };
  const program = await launchForTest({ dataDir, named: ["--hidden"], environment });
  await expect.poll(() => pidOfService(dataDir)).not.toBeNull();
  expect(await program.inMain(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(0);
  expect(await startAgain({ dataDir, named: [film("dog-01.jpg")] })).toBe(0);
  const page = await program.page();
  await expect.poll(() => filmNamed(page, "dog-01.jpg")).toBeDefined();
  if (!isOnTwin) return;
  expect((await call(page, "database.get", {})).isSealed).toBe(true);
  expect(await quit(program)).toBe(0);
  expect(hasSealedHead(dataDir)).toBe(true);
});
