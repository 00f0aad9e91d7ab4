// Runs once: its queries are tested elsewhere.
import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { createPerson, turnUsersOn } from "../../../../main/services/people/people.ts";
import { isSecret } from "../../../../main/services/people/secrets.ts";
import { listAuditEvents } from "../../../../main/store/audit/audit-events.ts";
import { openStore } from "../../../../main/store/database.ts";
import { listPeople, peopleSetting } from "../../../../main/store/people/people.ts";
import { getSetting } from "../../../../main/store/settings.ts";
import { answerCommand, runCommand } from "../../../fixtures/process/corvet-command.ts";
import { folderForEach } from "../../../fixtures/folders.ts";

const dataDir = folderForEach();

const run = (command: "people" | "ledger" | "keys", args: readonly string[]) =>
  runCommand(command, ...args, "--data-dir", dataDir());

const enter = (secret: string, ...args: readonly string[]) =>
  answerCommand(`${secret}\n`, "people", ...args, "--data-dir", dataDir());

it("sets a new PIN for an administrator, with an audit event", async () => {
  const db = await openStore(dataDir());
  await createPerson(db, { name: "Dr Sommer", role: "administrator", secret: "forgotten" }, new Date());
  await turnUsersOn(db, new Date());
  await db.destroy();
  expect(await enter("4711", "pin", "dr sommer")).toMatchObject({ status: 0, stdout: "" });
  expect(await enter("4711", "pin", "Nobody")).toMatchObject({ status: 1 });
  expect(await enter("1", "pin", "Dr Sommer")).toMatchObject({ status: 2 });
  expect((await run("people", ["list"])).stdout).toMatch(/\nDr Sommer +administrator .*-\nSign-in is on\.\n$/);
  expect((await run("people", ["off"])).status).toBe(0);

  const after = await openStore(dataDir());
  expect(await isSecret((await listPeople(after))[0]!.secretHash, "4711")).toBe(true);
  expect((await getSetting(after, peopleSetting)).isOn).toBe(false);
  const [off, pin] = (await listAuditEvents(after, { limit: 2, offset: 0 })).rows;
  expect([off, pin]).toMatchObject([
    { action: "people.turned_off", via: "command" },
    { action: "person.secret_changed", via: "command", who: expect.stringMatching(/./) },
  ]);
  await after.destroy();
  expect((await run("ledger", ["verify"])).stdout).toContain("The audit trail is unchanged\n");
});

it("records keys created and revoked on the command line once in the security log", async () => {
  const key = (await run("keys", ["create"])).stdout.trim();
  const [keyId = ""] = /\b[0-9a-f]{12}\b/.exec((await run("keys", ["list"])).stdout) ?? [];
  for (const _time of ["first", "again"]) expect((await run("keys", ["revoke", keyId])).status).toBe(0);
  const log = readFileSync(path.join(dataDir(), "logs", "security.log"), "utf8");
  const lines = log
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { security: string; keyId: string });
  expect(lines.map(({ security, keyId: of }) => [security, of])).toEqual([
    ["key.created", keyId],
    ["key.revoked", keyId],
  ]);
  expect(log.includes(key)).toBe(false);
});
