import { beforeEach, expect, test } from "vitest";
import { call, setConnection } from "../../../renderer/state/connection.ts";

let asked = 0;
let isRefused = false;
beforeEach(() => {
  [asked, isRefused] = [0, false];
  const answer = async () => {
    asked += 1;
    const id = `patient-${asked}`;
    await Promise.resolve();
    return isRefused ? { ok: false, code: "CONFLICT", message: "" } : { ok: true, value: { id } };
  };
  setConnection({ kind: "browser", call: answer as never, subscribe: () => () => undefined });
});
const bella = { name: "Bella", species: "dog", breed: "", owner: "M. Sommer", uuid: null } as const;

test("creates a patient once for two concurrent requests, and again for a later one", async () => {
  const both = await Promise.all([call("patients.create", bella), call("patients.create", { ...bella })]);
  expect([both.map(({ id }) => id), asked]).toEqual([["patient-1", "patient-1"], 1]);
  expect((await call("patients.create", bella)).id).toBe("patient-2");
});

test("requests other patients, lists and failed creations each time", async () => {
  await Promise.all([call("patients.create", bella), call("patients.create", { ...bella, name: "Rex" })]);
  await Promise.all([call("patients.list", {}), call("patients.list", {})]);
  expect(asked).toBe(4);
  isRefused = true;
  await expect(call("patients.create", bella)).rejects.toMatchObject({ code: "CONFLICT" });
  await expect(call("patients.create", bella)).rejects.toMatchObject({ code: "CONFLICT" });
  expect(asked).toBe(6);
});
