import { existsSync, writeFileSync } from "node:fs";
import path from "node:path";
import { beforeEach, expect, test } from "vitest";
import { exportPatient } from "../../../../main/services/privacy/export-patient.ts";
import { takePatients } from "../../../../main/services/practice/patient-files.ts";
import { findPatientByUuid } from "../../../../main/store/films/patients.ts";
import { findIdentity } from "../../../../main/store/privacy/patient-record.ts";
import type { DesktopBench } from "../../../fixtures/desktop-bench.ts";
import { openSurroundings } from "../network/surroundings.ts";

/** What practice software tells of patients, out of order or not all of it sound. */
const around = openSurroundings();
let bench: DesktopBench;

beforeEach(async () => {
  bench = await around.open();
});

const message = (event: string, number: string, name: string, more = "") =>
  `MSH|^~\\&|P|C|CORVET||20261122||ADT^${event}|1|P|2.5\rPID|1||${number}^^^^PI||${name && `Muster^${name}`}` +
  `${"|".repeat(30)}DOG\r${more}`;

async function take(...messages: readonly string[]) {
  const file = path.join(bench.dataDir, "patients.hl7");
  writeFileSync(file, messages.join(""));
  return takePatients(bench.desktop.context, file);
}

const nameOf = async (number: string) => (await findPatientByUuid(bench.context.db, number))?.name ?? null;

test("a late message for a merged number changes the patient and leaves the present number", async () => {
  await take(message("A04", "100", "Rex"), message("A04", "200", "Rex"), message("A40", "200", "Rex", "MRG|100\r"));
  expect(await take(message("A08", "100", "Rexi"))).toBe("opened");
  expect(await findPatientByUuid(bench.context.db, "200")).toMatchObject({ name: "Rexi", uuid: "200" });
  expect(await findIdentity(bench.context.db, "100")).toEqual(await findIdentity(bench.context.db, "200"));
});

test("reports a rejected message, and applies the others of the file", async () => {
  expect(await take(message("A04", "501", "One"), message("A04", "502", ""), message("A04", "503", "Three"))).toBe(
    "failed",
  );
  expect([await nameOf("501"), await nameOf("502"), await nameOf("503")]).toEqual(["One", null, "Three"]);
});

test("what only begins like JSON does not keep a patient from being exported", async () => {
  await take(message("A04", "600", "Rex"));
  const { id } = (await findPatientByUuid(bench.context.db, "600"))!;
  await bench.context.db.updateTable("patients").set({ microchip: "[none]" }).where("id", "=", id).execute();
  const file = path.join(bench.dataDir, "rex.zip");
  await exportPatient(bench.desktop.context, id, { file, language: "en" });
  expect(existsSync(file)).toBe(true);
});
