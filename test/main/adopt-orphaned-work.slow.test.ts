import { expect, it, vi } from "vitest";
import { openCorvet } from "../../main/compose.ts";
import { findCaller } from "../../main/services/calls/callers.ts";
import { createPerson } from "../../main/services/people/people.ts";
import { revokeApiKey } from "../../main/store/people/api-keys.ts";
import { openPostgresStore } from "../../main/store/engines/postgres/open-postgres-store.ts";
import { listPeople } from "../../main/store/people/people.ts";
import { publishersSetting, saveSetting } from "../../main/store/settings.ts";
import { hasPostgres } from "../fixtures/postgres/programs.ts";
import { temporaryDatabase } from "../fixtures/postgres/temporary-database.ts";
import { scriptedEngine } from "../fixtures/scripted-engine.ts";
import { writtenLog } from "../fixtures/written-log.ts";
import { temporaryDataDir } from "./store/sample-store.ts";

it.runIf(hasPostgres)("applies changes made by a command before the database becomes unavailable", async () => {
  const { dataDir, remove } = temporaryDataDir();
  const database = await temporaryDatabase();
  const { log, logged } = writtenLog();
  const engine = scriptedEngine();
  const read = vi.spyOn(engine, "reload");
  const corvet = await openCorvet({
    ...{ dataDir, log, port: 0, engine, sealer: null, pollMs: 100 },
    database: database.url,
  });
  const { context, desktop } = corvet;
  try {
    const created = async (name: string) => {
      const answer = await desktop.call("keys.create", { accountName: "Clinic", name }, "window");
      return (answer as unknown as { value: { keyId: string; key: string } }).value;
    };
    const [kept, revoked] = [await created("kept"), await created("revoked")];
    for (const { key } of [kept, revoked]) expect(await findCaller(context, key)).not.toBeNull();
    const command = await openPostgresStore(database.url);
    await revokeApiKey(command, { keyId: revoked.keyId, at: new Date() });
    await createPerson(command, { name: "Dr Weber", role: "assistant", secret: "1234" }, new Date());
    await saveSetting(command, publishersSetting, [{ name: "Example Ltd", publicKey: "", addedAt: "" }]);
    await command.destroy();
    // The last step runs although the one before it fails.
    vi.spyOn(desktop.parts.queue, "takeOver").mockRejectedValue(new Error("no film can be asked for"));
    const remembered = vi.spyOn(desktop, "rememberSettings");
    await expect.poll(() => remembered.mock.calls.length).toBeGreaterThan(1);
    await expect.poll(() => read.mock.calls.length).toBe(1);
    expect(logged.join()).toContain("films of stopped workstations were not taken over");
    await database.remove();
    await expect.poll(() => desktop.current() !== desktop.parts).toBe(true);
    expect(await listPeople(desktop.current().context.db)).toMatchObject([{ name: "Dr Weber" }]);
    expect(await findCaller(context, kept.key)).toMatchObject({ keyId: kept.keyId });
    await expect(findCaller(context, revoked.key)).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
  } finally {
    await corvet.close();
    remove();
  }
});
