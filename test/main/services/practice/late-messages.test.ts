import { existsSync, writeFileSync } from "node:fs";
import fc from "fast-check";
import path from "node:path";
import { beforeEach, expect, test } from "vitest";
import { exportPatient } from "../../../../main/services/privacy/export-patient.ts";
import { importPatientFile } from "../../../../main/services/practice/patient-files.ts";
import { findPatientByUuid } from "../../../../main/store/films/patients.ts";
import { findIdentity } from "../../../../main/store/privacy/patient-record.ts";
import type { DesktopBench } from "../../../fixtures/desktop-bench.ts";
import { isOnPostgres } from "../../../fixtures/raw-store.ts";
import { openSurroundings } from "../network/surroundings.ts";

const around = openSurroundings();
let bench: DesktopBench;

beforeEach(async () => {
  bench = await around.open();
});

const message = (event: string, number: string, name: string, more = "") =>
  `MSH|^~\\&|P|C|CORVET||20261122||ADT^${event}|1|P|2.5\rPID|1||${number}^^^^PI||${name && `Muster^${name}`}` +
  `${"|".repeat(30)}DOG\r${more}`;

async function take(...messages: readonly (string | Uint8Array)[]) {
  const file = path.join(bench.dataDir, "patients.hl7");
  writeFileSync(file, Buffer.concat(messages.map((each) => Buffer.from(each))));
  return (await importPatientFile(bench.desktop.context, file))?.outcome;
}

const nameOf = async (number: string) => (await findPatientByUuid(bench.context.db, number))?.name ?? null;

test("applies a late message for a merged number to the patient and keeps the current number", async () => {
  await take(message("A04", "100", "Rex"), message("A04", "200", "Rex"), message("A40", "200", "Rex", "MRG|100\r"));
  expect(await take(message("A08", "100", "Rexi"))).toBe("opened");
  expect(await findPatientByUuid(bench.context.db, "200")).toMatchObject({ name: "Rexi", uuid: "200" });
  expect(await findIdentity(bench.context.db, "100")).toEqual(await findIdentity(bench.context.db, "200"));
});

test("reports a rejected message and applies the others of the file", async () => {
  expect(await take(message("A04", "501", "One"), message("A04", "502", ""), message("A04", "503", "Three"))).toBe(
    "failed",
  );
  expect([await nameOf("501"), await nameOf("502"), await nameOf("503")]).toEqual(["One", null, "Three"]);
});

test("exports a patient with a value that only starts like JSON", async () => {
  await take(message("A04", "600", "Rex"));
  const { id } = (await findPatientByUuid(bench.context.db, "600"))!;
  await bench.context.db.updateTable("patients").set({ microchip: "[none]" }).where("id", "=", id).execute();
  const file = path.join(bench.dataDir, "rex.zip");
  await exportPatient(bench.desktop.context, id, { file, language: "en" });
  expect(existsSync(file)).toBe(true);
});

test("keeps a former number until its film or registration arrives", async () => {
  expect(await take(message("A40", "700", "Rex", "MRG|701^^^^PI\r"))).toBe("opened");
  expect(await take(message("A04", "701", "Rex"))).toBe("opened");
  expect(await findPatientByUuid(bench.context.db, "701")).toMatchObject({ uuid: "700" });
});

test("uses the last remaining number after merges in both directions", async () => {
  await take(message("A04", "710", "Rex"), message("A04", "711", "Rex"));
  await take(message("A40", "711", "Rex", "MRG|710\r"), message("A40", "710", "Rex", "MRG|711\r"));
  const [one, other] = [
    await findPatientByUuid(bench.context.db, "710"),
    await findPatientByUuid(bench.context.db, "711"),
  ];
  expect([one?.uuid, other?.id]).toEqual(["710", one?.id]);
});

test("applies all merge events, rejects other identity changes and ignores events of visits", async () => {
  await take(message("A04", "720", "Rex"));
  for (const [index, event] of ["A18", "A30", "A34", "A36", "A39", "A46", "A47"].entries()) {
    const [former, present] = [String(720 + index), String(721 + index)];
    expect([event, await take(message(event, present, "Rex", `MRG|${former}^^^^PI\r`))]).toEqual([event, "opened"]);
    expect(await findPatientByUuid(bench.context.db, "720")).toMatchObject({ uuid: present });
  }
  for (const [event, more, outcome] of [
    ["A24", "", "failed"],
    ["A37", "", "failed"],
    ["A43", "MRG|730\r", "failed"],
    ["A99", "MRG|730\r", "failed"],
    ["A02", "", "passed-over"],
    ["A41", "MRG|733\r", "passed-over"],
    ["A42", "MRG|733\r", "passed-over"],
    ["A50", "MRG|733\r", "passed-over"],
  ] as const)
    expect([event, await take(message(event, "731", "Rex", more))]).toEqual([event, outcome]);
});

test("results in the same patients for any order of messages", async () => {
  const numbers = ["1", "2", "3", "4", "5"];
  let run = 0;
  const scenario = fc
    .tuple(...numbers.slice(1).map((_, index) => fc.option(fc.nat(index), { nil: null })))
    .chain((parents) => {
      const merges = parents.flatMap((parent, index) =>
        parent === null ? [] : [[numbers[parent]!, numbers[index + 1]!]],
      );
      const events = [...numbers.map((number) => [number]), ...merges];
      return fc.shuffledSubarray(events, { minLength: events.length }).map((order) => ({ parents, order }));
    });
  await fc.assert(
    fc.asyncProperty(scenario, async ({ parents, order }) => {
      run += 1;
      const named = (number: string) => `${run}-${number}`;
      const texts = order.map(([number = "", former]) =>
        former === undefined
          ? message("A04", named(number), "Rex")
          : message("A40", named(number), "Rex", `MRG|${named(former)}\r`),
      );
      expect(await take(...texts)).toBe("opened");
      const root = (index: number): number => {
        const parent = index === 0 ? null : (parents[index - 1] ?? null);
        return parent === null ? index : root(parent);
      };
      for (const [index, number] of numbers.entries()) {
        const patient = await findPatientByUuid(bench.context.db, named(number));
        expect(patient?.uuid).toBe(named(numbers[root(index)]!));
      }
    }),
    { numRuns: isOnPostgres ? 5 : 15 },
  );
});

const encoded = (charset: string, name: Uint8Array) =>
  Buffer.concat([
    Buffer.from(`MSH|^~\\&|P|C|CORVET||20261122||ADT^A04|1|P|2.5||||||${charset}\rPID|1||800^^^^PI||Muster^`),
    name,
    Buffer.from(`${"|".repeat(30)}DOG\r`),
  ]);

test("reads names in the character set of the message, or as UTF-8 or UTF-16 if the bytes show it", async () => {
  const named: readonly (readonly [string, Buffer, string])[] = [
    ["ASCII", Buffer.from("Rüde"), "Rüde"],
    ["8859/1", Buffer.from("Rüde"), "Rüde"],
    ["8859/1", Buffer.from("Hündin", "latin1"), "Hündin"],
    ["", Buffer.from("Rüde", "latin1"), "Rüde"],
    ["UNICODE UTF-8", Buffer.from("小白"), "小白"],
    ["GBK", Buffer.of(0xd0, 0xa1, 0xba, 0xda), "小黑"],
    ["WINDOWS-1251", Buffer.of(0xd0, 0xe5, 0xea, 0xf1), "Рекс"],
    ["GB2312", Buffer.of(0xd0, 0xa1, 0xba, 0xda), "小黑"],
    ["8859/2", Buffer.of(0xb1, 0xea), "ąę"],
    ["ISO IR87", Buffer.of(0x1b, 0x24, 0x42, 0x24, 0x3f, 0x1b, 0x28, 0x42), "た"],
  ];
  for (const [charset, bytes, name] of named) {
    expect([charset, await take(encoded(charset, bytes))]).toEqual([charset, "opened"]);
    expect([charset, await nameOf("800")]).toEqual([charset, name]);
  }
  const le = Buffer.from(message("A04", "810", "Rüde"), "utf16le");
  for (const bytes of [Buffer.concat([Buffer.from([0xff, 0xfe]), le]), le, Buffer.from(le).swap16()]) {
    expect(await take(bytes)).toBe("opened");
    expect(await nameOf("810")).toBe("Rüde");
  }
  for (const [charset, name] of [
    ["UNICODE UTF-8", "Żuża"],
    ["", "Bączek"],
    ["8859/1", "Żaba"],
  ] as const) {
    const marked = Buffer.concat([Buffer.from("\ufeff"), encoded(charset, Buffer.from(name))]);
    expect([charset, await take(marked), await nameOf("800")]).toEqual([charset, "opened", name]);
  }
});

test("rejects bytes that are not valid in the character set of the message", async () => {
  await take(encoded("", Buffer.from("Rex")));
  for (const [charset, bytes] of [
    ["UNICODE UTF-8", Buffer.from("Hündin", "latin1")],
    ["8859/7", Buffer.of(0xff)],
    ["GBK", Buffer.of(0xff)],
  ] as const) {
    expect([charset, await take(encoded(charset, bytes))]).toEqual([charset, "failed"]);
    expect([charset, await nameOf("800")]).toEqual([charset, "Rex"]);
  }
  expect(await take(Buffer.from(`\ufeff${message("A08", "800", "Bo")}`, "utf16le"), Buffer.of(0x41))).toBe("failed");
  expect(await nameOf("800")).toBe("Rex");
});

test("rejects non-ASCII text in an unknown character set, but reads ASCII", async () => {
  expect(await take(encoded("NONSENSE", Uint8Array.from([0xfc])))).toBe("failed");
  expect(await take(encoded("NONSENSE", Buffer.from("Rex")))).toBe("opened");
});
