// Runs once: files next to the store.
import { mkdirSync, readlinkSync, symlinkSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { ensureTlsCredentials } from "../../../main/server/tls/tls.ts";
import { openSecrets } from "../../../main/services/desktop/secrets.ts";
import { machineOf } from "../../../main/store/machines/machine.ts";
import { temporaryDataDir } from "./sample-store.ts";

let directory = temporaryDataDir();
beforeEach(() => (directory = temporaryDataDir()));
afterEach(() => directory.remove());

/** A link to itself: reading fails for any user, writing another file in its place succeeds. */
function makeUnreadable(name: string): string {
  const file = path.join(directory.dataDir, name);
  mkdirSync(path.dirname(file), { recursive: true });
  symlinkSync(path.basename(file), file);
  return file;
}

it.runIf(process.platform !== "win32").each<[string, string, () => unknown]>([
  ["the local authority", "tls/authority.pem", () => ensureTlsCredentials(directory.dataDir, [], new Date())],
  ["other secrets when one is added", "secrets.json", () => openSecrets(directory.dataDir, null).keep("a", "b")],
  ["other secrets when one is removed", "secrets.json", () => openSecrets(directory.dataDir, null).forget("a")],
  ["the workstation's identity", "machine.json", () => machineOf(directory.dataDir)],
])("does not replace %s if the file cannot be read", async (_what, name, write) => {
  const file = makeUnreadable(name);
  await expect((async () => await write())()).rejects.toMatchObject({ code: "ELOOP" });
  expect(readlinkSync(file)).toBe(path.basename(name));
});
