import { spawn, type ChildProcess } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import path from "node:path";
import { afterAll, beforeAll, describe, expect } from "vitest";
import { folderForFile } from "../../fixtures/folders.ts";
import { dataSet, partTen, sequence, text } from "../../main/dicom/dicom-writer.ts";
import { freePort, hasDcmtk, run } from "../../main/dicom/network/dcmtk.ts";
import { phantomFromJpeg } from "../../main/dicom/phantom-film.ts";
import { foreignPresentation, graphic, labelAt } from "../../main/dicom/presentation/foreign-presentation.ts";
import { axeFaults, axeFaultsInBothThemes, openFilms, openRow, openSettings, saveReading } from "../actions.ts";
import { startJourney } from "../journey.ts";
import { ask, phantom } from "../program.ts";
import { waitUntil } from "../../fixtures/patience.ts";

const { program, test } = startJourney();
const folder = folderForFile();
let worklist: ChildProcess | null = null;
let receiver: Server | null = null;
let port = 0;
/** A fixed day, as today may be over when the list is requested. */
const orderedDay = "2026-11-20";
afterAll(() => {
  worklist?.kill("SIGKILL");
  receiver?.close();
});

beforeAll(async () => {
  if (!hasDcmtk) return;
  port = await freePort();
  const list = path.join(folder, "lists", "PRACTICE");
  mkdirSync(list, { recursive: true });
  writeFileSync(path.join(list, "lockfile"), "");
  const step = [
    text("00080060", "CS", "DX"),
    text("00400001", "AE", "XRAY1"),
    text("00400002", "DA", orderedDay.replaceAll("-", "")),
    text("00400003", "TM", "103000"),
    text("00400007", "LO", "Thorax left lateral"),
    text("00400009", "SH", "S-9"),
  ];
  const entry = dataSet(
    text("00080050", "SH", "A-2026-9"),
    text("00080090", "PN", "Weiss^Ina"),
    text("00100010", "PN", "Sommer^Nala"),
    text("00100020", "LO", "P-901"),
    text("00100030", "DA", "20190304"),
    text("00100040", "CS", "F"),
    text("0020000D", "UI", "1.2.276.99.1"),
    text("00321060", "LO", "Thorax"),
    sequence("00400100", step),
    text("00401001", "SH", "R-9"),
  );
  writeFileSync(path.join(list, "nala.wl"), partTen("1.2.840.10008.1.2.1", entry));
  worklist = spawn("wlmscpfs", ["-s", "-dfp", path.dirname(list), String(port)], { stdio: "ignore" });
  const echo = ["-aec", "PRACTICE", "127.0.0.1", String(port)];
  await waitUntil(async () => (await run("echoscu", echo)).status === 0);
});

describe.skipIf(!hasDcmtk)("with practice software", () => {
  test("chooses an ordered examination by keyboard, and assigns the next picture to its patient", async ({ page }) => {
    const node = { host: "127.0.0.1", port, aeTitle: "PRACTICE", offersWorklist: true };
    await ask(page, "dicom.saveNode", { nodeId: null, name: "Practice", ...node });
    await page.keyboard.press("Alt+1");
    await page.getByRole("button", { name: "Open films" }).click();
    await page.getByRole("menuitem", { name: "Choose from the practice’s worklist…" }).press("Enter");
    const dialog = page.getByRole("dialog", { name: "Ordered examinations" });
    for (const end of ["From date", "To date"]) await dialog.getByLabel(end).fill(orderedDay);
    await dialog.getByLabel("Animal or owner").fill("Nala");
    await page.keyboard.press("Enter");
    await dialog.getByText("A-2026-9").waitFor();
    expect(await axeFaultsInBothThemes(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Choose as dog" }).press("Enter");
    await page
      .getByRole("status")
      .filter({ hasText: /The next image is for Nala.*A-2026-9/ })
      .waitFor();
    expect(await axeFaults(page)).toEqual([]);
    const [film] = await openFilms(page, [phantom("dog-05.jpg")]);
    expect(film!.patient).toMatchObject({ name: "Nala", uuid: "P-901", species: "dog" });
    await page.getByText("The next image is for Nala").waitFor({ state: "detached" });
    await ask(page, "settings.save", { measuresOnArrival: false });
  });

  test("shows annotations of another program until they are switched off", async ({ page }) => {
    const facts = { study: "1.2.276.99.2", instance: "1.2.276.99.2.1", patientId: "P-902", patientName: "Berg^Emma" };
    const put = (name: string, bytes: Buffer) => {
      const file = path.join(folder, name);
      writeFileSync(file, bytes);
      return file;
    };
    const label = labelAt(300, 200, "Effusion?");
    const about = { study: facts.study, series: `${facts.study}.1`, film: facts.instance };
    const marks = foreignPresentation([graphic("CIRCLE", "PIXEL", 400, 300, 460, 300)], [label], [], about);
    await openFilms(page, [put("emma.dcm", await phantomFromJpeg(phantom("dog-06.jpg"), facts))]);
    await page.getByTestId("files").setInputFiles(put("marks.dcm", marks));
    await openRow(page, "Emma");
    const shown = page.getByTestId("foreign-marks");
    await shown.getByText("Effusion?").waitFor();
    // A closed outline is not filled, so it hides no part of the film.
    const outline = shown.locator(".annotation polyline").last();
    expect(await outline.evaluate((line) => getComputedStyle(line).fill)).toBe("none");
    expect(await axeFaults(page)).toEqual([]);
    await page.getByRole("button", { name: "Overlay", exact: true }).click();
    await page.getByRole("switch", { name: "Annotations from other programs" }).click();
    await shown.waitFor({ state: "detached" });
    await page.keyboard.press("Escape");
  });

  test("adds and tests a receiver of results, and sends it an accepted result", async ({ page }) => {
    const told: string[] = [];
    receiver = createServer((socket) => {
      let message = "";
      socket.on("error", () => undefined);
      socket.on("data", (chunk: Buffer) => {
        message += chunk.toString("utf8");
        if (!message.endsWith("\u001c\r")) return;
        told.push(message);
        const id = message.split("|")[9] ?? "";
        socket.write(`\u000bMSH|^~\\&|P|C|CORVET||20261122||ACK^R01^ACK|1|P|2.5.1\rMSA|AA|${id}\r\u001c\r`);
      });
    });
    const hl7Port = await freePort();
    await new Promise<void>((resolve) => receiver?.listen(hl7Port, "127.0.0.1", resolve));
    await openSettings(page, "Folders");
    const card = page.locator("section").filter({ hasText: "Results over the network" });
    await card.getByRole("switch", { name: "Send results as HL7 messages" }).click();
    await card.getByLabel("Host name or IP address").fill("127.0.0.1");
    // The whole input is validated; no part of it is taken as the port.
    await card.getByLabel("Port").fill("25x75");
    await card.getByText("Enter a whole number from 1 to 65535").waitFor();
    expect(await card.getByLabel("Port").inputValue()).toBe("25x75");
    expect(await card.getByRole("button", { name: "Test connection" }).isDisabled()).toBe(true);
    await card.getByLabel("Port").fill(String(hl7Port));
    await card.getByRole("button", { name: "Test connection" }).click();
    await card.getByText("The receiver responds").waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await card.getByRole("button", { name: "Save receiver" }).click();
    await card.getByText("Nothing pending").waitFor();
    await card.locator("button:focus").filter({ hasText: "Save receiver" }).waitFor();
    const { films } = await ask(page, "films.list", { search: "Nala" });
    await saveReading(page, films[0]!.id, { verdict: "accepted" });
    await program().corvet.desktop.parts.mllp.look();
    expect(told).toHaveLength(1);
    expect(told[0]).toContain("|A-2026-9|");
    await card.getByText(/last sent: (?!not)/).waitFor();
  });
});
