import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { afterAll, describe, expect } from "vitest";
import { folderForFile } from "../../fixtures/folders.ts";
import { phantomFromJpeg } from "../../main/dicom/phantom-film.ts";
import { freePort, hasDcmtk, run } from "../../main/dicom/network/dcmtk.ts";
import { createArchive, type Behaviour } from "../../main/services/network/archive.ts";
import { axeFaultsInBothThemes, openFilms, openRow, openSettings } from "../actions.ts";
import { ask, phantom } from "../program.ts";
import { startJourney } from "../journey.ts";

// Measuring on arrival is tested in test/main/services/network/dicom-receive.slow.test.ts.
const { test } = startJourney((page) => ask(page, "settings.save", { measuresOnArrival: false }));

const folder = folderForFile();
const nodes: ChildProcess[] = [];
let port = 0;
afterAll(() => nodes.forEach((node) => node.kill("SIGKILL")));
const send = (file: string) => run("storescu", ["-aet", "XRAY", "-aec", "CORVET", "127.0.0.1", String(port), file]);

describe.skipIf(!hasDcmtk)("with DCMTK", () => {
  test("adds a film sent by a device to the worklist, and shows the rejection of a wrong AE title", async ({
    page,
  }) => {
    port = await freePort();
    await openSettings(page, "DICOM");
    await page.getByLabel("Port").fill("70000");
    await page.getByText("Enter a whole number from 1 to 65535").waitFor();
    await page.getByLabel("Port").fill(String(port));
    await page.getByRole("switch", { name: "Receive films by DICOM" }).click();
    await page.getByText(`Listening on port ${port}`).waitFor();
    const film = path.join(folder, "lateral.dcm");
    writeFileSync(
      film,
      await phantomFromJpeg(phantom("dog-06.jpg"), {
        study: "1.2.276.78.1",
        instance: "1.2.276.78.1.1",
        patientId: "P-78",
        patientName: "Kaya^Rex",
        responsiblePerson: "Kaya^Deniz",
      }),
    );
    expect(await send(film)).toMatchObject({ status: 0 });
    await page.getByRole("cell", { name: "1 received" }).waitFor();
    await run("echoscu", ["-aet", "XRAY", "-aec", "OTHER", "127.0.0.1", String(port)]);
    await page.getByRole("cell", { name: "refused: called AE title OTHER" }).waitFor();
    await page.keyboard.press("Alt+1");
    const row = page.getByTestId("film").filter({ hasText: "Rex" });
    await row.first().waitFor();
    const [received] = (await ask(page, "films.list", { search: "Rex" })).films;
    expect(received).toMatchObject({ origin: "dicom", patient: { name: "Rex" } });
    await ask(page, "films.remove", { filmIds: [received!.id] });
  });

  test("requests storage commitment again after a missing reply", async ({ page }) => {
    let says: Behaviour["says"] = () => null;
    const archive = createArchive({ says: (asked) => says?.(asked) ?? null }).listen(0, "127.0.0.1");
    await once(archive, "listening");
    const { port } = archive.address() as AddressInfo;
    const node = { name: "PACS", host: "127.0.0.1", port, aeTitle: "PACS", asksCommitment: true };
    const { nodes } = await ask(page, "dicom.saveNode", { nodeId: null, ...node });
    await page.keyboard.press("Alt+1");
    await ask(page, "settings.save", { measuresOnArrival: true });
    const [film] = await openFilms(page, [phantom("dog-02.jpg")]);
    await ask(page, "settings.save", { measuresOnArrival: false });
    await openRow(page, "dog-02.jpg");
    await ask(page, "dicom.send", { sendId: crypto.randomUUID(), filmId: film!.id, nodeId: nodes[0]!.id });
    await page.getByText("no response yet").waitFor();
    says = (asked) => ({ ...asked });
    await page.getByRole("button", { name: "Request again" }).click();
    await page.getByText("Permanent storage confirmed by the archive").waitFor();
    await ask(page, "dicom.deleteNode", { nodeId: nodes[0]!.id });
    await ask(page, "films.remove", { filmIds: [film!.id] });
    archive.close();
  });

  test("lists received objects that cannot be shown until the user acts, by keyboard and in both themes", async ({
    page,
  }) => {
    const film = path.join(folder, "cut.dcm");
    const whole = await phantomFromJpeg(phantom("dog-06.jpg"), {
      study: "1.2.276.79.1",
      instance: "1.2.276.79.1.1",
      patientId: "P-79",
      patientName: "Kaya^Luna",
    });
    // States twice as many rows as the picture has.
    const rows = whole.indexOf(Buffer.from("280010005553", "hex"));
    whole.writeUInt16LE(2 * whole.readUInt16LE(rows + 8), rows + 8);
    writeFileSync(film, whole);
    expect(await send(film)).toMatchObject({ status: 0 });
    await page.getByRole("button", { name: "1 received object is not shown" }).press("Enter");
    const dialog = page.getByRole("dialog", { name: "Received, not shown" });
    await dialog.getByText("Luna").waitFor();
    await dialog.getByText("From XRAY").waitFor();
    expect(await axeFaultsInBothThemes(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Try again" }).press("Enter");
    await page.getByText("0 of 1 are now in the worklist").waitFor();
    const saved = page.waitForEvent("download");
    await dialog.getByRole("button", { name: "Save as file, with names" }).press("Enter");
    expect((await saved).suggestedFilename()).toBe("1.2.276.79.1.1.dcm");
    await dialog.getByRole("button", { name: "Delete", exact: true }).press("Enter");
    await page.getByRole("alertdialog").getByRole("button", { name: "Delete" }).press("Enter");
    await dialog.getByText("No received objects left").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "not shown" }).waitFor({ state: "detached" });
  });

  test("accepts only listed senders on the practice network, set by keyboard", async ({ page }) => {
    await page.keyboard.press("Alt+1");
    await openSettings(page, "DICOM");
    await page.getByLabel("Reachable from").selectOption("practice-network");
    await page.getByText("No senders are allowed yet").waitFor();
    await page.getByLabel("Allowed AE titles").focus();
    await page.keyboard.type("XRAY");
    await page.keyboard.press("Tab");
    await page.keyboard.type("127.0.0.1\nxray");
    await page.getByText("Not valid: xray").waitFor();
    for (let typed = "\nxray".length; typed > 0; typed--) await page.keyboard.press("Backspace");
    await page.keyboard.press("Tab");
    await page.getByText("No senders are allowed yet").waitFor({ state: "detached" });
    await expect.poll(async () => (await ask(page, "dicom.get", {})).state).toBe("listening");
    expect((await ask(page, "dicom.get", {})).receiver).toEqual({
      isOn: true,
      port,
      aeTitle: "CORVET",
      bind: "practice-network",
      allowedAeTitles: ["XRAY"],
      allowedAddresses: ["127.0.0.1"],
      security: "none",
      trustedClients: "",
    });
    expect((await run("echoscu", ["-aet", "STRANGER", "-aec", "CORVET", "127.0.0.1", String(port)])).status).not.toBe(
      0,
    );
    await page.getByRole("cell", { name: "refused: AE title not allowed" }).waitFor();
  });

  test("adds, tests, edits and deletes a node", async ({ page }) => {
    const nodePort = await freePort();
    nodes.push(spawn("storescp", ["-od", folder, String(nodePort)], { stdio: "ignore" }));
    await openSettings(page, "DICOM");
    await page.getByRole("button", { name: "Add a destination…" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.getByText("Enter a name").waitFor();
    await dialog.getByLabel("Name", { exact: true }).fill("PACS");
    await dialog.getByLabel("Host name or IP address").fill("127.0.0.1");
    await dialog.getByLabel("Port").fill(String(await freePort()));
    await dialog.getByLabel("AE title").fill("PACS");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Test connection PACS" }).click();
    await page.getByText("No response at this address and port").waitFor();
    await page.getByRole("button", { name: "Edit PACS" }).click();
    await dialog.getByLabel("Port").fill(String(nodePort));
    await page.keyboard.press("Enter");
    await page.getByRole("cell", { name: `127.0.0.1:${nodePort}` }).waitFor();
    await page.getByRole("button", { name: "Test connection PACS" }).click();
    await page.getByText("Connected; our AE title is accepted").waitFor();
    await page.getByRole("button", { name: "Delete PACS" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Delete" }).click();
    await page.getByRole("button", { name: "Test connection PACS" }).waitFor({ state: "detached" });
  });

  test("accepts a DICOMweb archive and a certificate by keyboard, and no unencrypted password", async ({ page }) => {
    await openSettings(page, "DICOM");
    await page.getByRole("button", { name: "Create a certificate" }).press("Enter");
    await page.getByLabel("Enter this in other systems").waitFor();
    await page.getByRole("button", { name: "Add a destination…" }).press("Enter");
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name", { exact: true }).fill("Cloud");
    await dialog.getByLabel("Type").selectOption("web");
    await dialog.getByLabel("Address of the service").fill("http://pacs.local/dicom-web");
    await dialog.getByLabel("Sign-in").selectOption("basic");
    await dialog.getByLabel("User name").fill("corvet");
    await dialog.getByLabel("Password").fill("s3cret");
    await page.keyboard.press("Enter");
    await dialog.getByText("requires an https address").waitFor();
    expect(await axeFaultsInBothThemes(page)).toEqual([]);
    await dialog.getByLabel("Address of the service").fill("https://nowhere.invalid/dicom-web");
    await page.keyboard.press("Enter");
    await page.getByRole("cell", { name: "https://nowhere.invalid/dicom-web" }).waitFor();
    expect(await axeFaultsInBothThemes(page)).toEqual([]);
    await page.getByRole("button", { name: "Test connection Cloud" }).press("Enter");
    await page.getByText("Unknown host name").waitFor();
    await page.getByRole("button", { name: "Edit Cloud" }).press("Enter");
    await dialog.getByText("Saved; leave empty to keep it").waitFor();
    expect(await dialog.getByLabel("Password").inputValue()).toBe("");
    await dialog.getByLabel("Type").selectOption("dimse");
    await dialog.getByLabel("Encryption").selectOption("own");
    await dialog.getByLabel("Trusted certificates").fill("no certificate");
    await dialog.getByRole("button", { name: "Save" }).press("Enter");
    await dialog.getByText("Not a PEM certificate").waitFor();
    await page.keyboard.press("Escape");
    const { nodes: saved } = await ask(page, "dicom.nodes", {});
    for (const { id } of saved) await ask(page, "dicom.deleteNode", { nodeId: id });
  });
});
