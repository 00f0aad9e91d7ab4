import { beforeEach, expect, it } from "vitest";
import { listAuditEvents } from "../../../../main/store/audit/audit-events.ts";
import {
  addPerson,
  editPerson,
  getPerson,
  hasAdministrator,
  listPeople,
  setSecretHash,
  setWrongSecrets,
} from "../../../../main/store/people/people.ts";
import { verifyRecord } from "../../../../main/store/record/record-verification.ts";
import { useStore } from "../../../fixtures/use-store.ts";

const at = new Date("2026-11-10T09:00:00Z");
const store = useStore();

beforeEach(async () => {
  await addPerson(store.db, { id: "sommer", name: "Dr Sommer", role: "administrator", secretHash: "first" }, at);
  await addPerson(store.db, { id: "kim", name: "Kim", role: "assistant", secretHash: "second" }, at);
});

it("keeps concurrent changes of other fields, lists retired users last and audits each change", async () => {
  const { db } = store;
  expect(await editPerson(db, "kim", { role: "veterinarian" }, at)).toBe(false);
  expect(await editPerson(db, "kim", { isRetired: true }, at)).toBe(true);
  expect(await editPerson(db, "kim", { name: "Dr Ahrens" }, at)).toBe(false);
  expect(await listPeople(db)).toMatchObject([
    { id: "sommer", name: "Dr Sommer", retiredAtMs: null },
    { id: "kim", name: "Dr Ahrens", role: "veterinarian", retiredAtMs: at.getTime() },
  ]);
  expect(await editPerson(db, "kim", { isRetired: false }, at)).toBe(true);
  expect((await listPeople(db)).map(({ name }) => name)).toEqual(["Dr Ahrens", "Dr Sommer"]);
  const { rows } = await listAuditEvents(db, { limit: 4, offset: 0 });
  expect(rows.map(({ action }) => action)).toEqual([
    "person.returned",
    "person.edited",
    "person.retired",
    "person.edited",
  ]);
});

it("counts wrong secrets until a new secret or a change of the user resets them", async () => {
  const { db } = store;
  const counted = async () => {
    const { secretHash, wrongSecrets, waitUntilMs } = await getPerson(db, "kim");
    return [secretHash, wrongSecrets, waitUntilMs];
  };
  await setWrongSecrets(db, "kim", 3, 1_700_000_000_000);
  expect(await counted()).toEqual(["second", 3, 1_700_000_000_000]);
  await setSecretHash(db, "kim", "third", at);
  expect(await counted()).toEqual(["third", 0, 0]);
  await setWrongSecrets(db, "kim", 1, 0);
  await editPerson(db, "kim", {}, at);
  expect(await counted()).toEqual(["third", 0, 0]);
});

it("rejects a taken name in other case, an unknown user, and the removal of the last administrator", async () => {
  const { db } = store;
  const namesake = { id: "other", name: "dr sommer", role: "assistant", secretHash: "" } as const;
  const isTaken = { code: "CONFLICT", reason: { name: "nameTaken" } };
  await expect(addPerson(db, namesake, at)).rejects.toMatchObject(isTaken);
  await expect(editPerson(db, "kim", { name: "DR SOMMER" }, at)).rejects.toMatchObject(isTaken);
  await expect(getPerson(db, "other")).rejects.toMatchObject({ code: "NOT_FOUND" });
  for (const change of [{ isRetired: true }, { role: "veterinarian" } as const])
    await expect(editPerson(db, "sommer", change, at)).rejects.toMatchObject({
      code: "CONFLICT",
      reason: { name: "lastAdministrator" },
    });
  expect([await hasAdministrator(db), (await verifyRecord(db, null)).fault]).toEqual([true, null]);
});
