// Runs once: its queries are tested elsewhere.
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import type { ReleaseStatement } from "../../../../core/updates/release-statement.ts";
import type { UpdateHost } from "../../../../main/services/updates/update-host.ts";
import { openUpdateFile } from "../../../../main/services/updates/update-file.ts";
import { signRelease } from "../../../../main/services/updates/signed-release.ts";
import { engineOf } from "../../../../main/store/engines/engine.ts";
import { openBench, smallPicture, type BenchOptions } from "../../../fixtures/desktop-bench.ts";
import { scriptedEngine } from "../../../fixtures/scripted-engine.ts";
import { makePublisher, migrations, openFeed, releaseOf, writeUpdateFile } from "../../../fixtures/updates/releases.ts";

const publisher = makePublisher();
const installer = Buffer.from("the bytes of an installer");
const folder = mkdtempSync(path.join(tmpdir(), "corvet-updates-"));
const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
  rmSync(folder, { recursive: true, force: true });
});

const target = { platform: "linux", arch: process.arch === "arm64" ? "arm64" : "x64", kind: "AppImage" } as const;

function desktopHost(chosen: { file: string | null }) {
  const done = { restarts: 0, prepared: [] as string[] };
  const host: UpdateHost = {
    target,
    fetch: (address, signal) => fetch(address, { signal }),
    async prepare(version, file, address, onFetched) {
      const bytes = Buffer.from(await (await fetch(new URL(file.name, address))).arrayBuffer());
      if (createHash("sha512").update(bytes).digest("base64") !== file.sha512) throw new Error("sha512 mismatch");
      onFetched(1);
      done.prepared.push(version);
    },
    stop: () => undefined,
    restart: () => void (done.restarts += 1),
    chooseFile: () => Promise.resolve(chosen.file),
  };
  return { host, done };
}

async function openUpdating(release: ReleaseStatement | null, options: BenchOptions & { keys?: string[] } = {}) {
  const files = new Map<string, Uint8Array>();
  const publish = (next: ReleaseStatement, { privateKey } = publisher) => {
    files.set("corvet-release.json", Buffer.from(signRelease(next, privateKey)));
    files.set(next.files[0]!.name, installer);
  };
  if (release) publish(release);
  const feed = await openFeed(files);
  const chosen: { file: string | null } = { file: null };
  const { host, done } = desktopHost(chosen);
  const bench = await openBench({
    updateHost: host,
    updateOrigin: { keys: options.keys ?? [publisher.publicKey], feed: feed.address },
    ...options,
  });
  closing.push(
    () => feed.close(),
    () => bench.remove(),
  );
  return { ...bench, files, feed, publish, done, chosen, updates: bench.desktop.parts.updates };
}
const failedWith = (name: string) => ({ outcome: { kind: "failed", failure: { reason: { name } } }, release: null });

describe("updates from the web", () => {
  it("find, verify and download a newer release, and install it on request", async () => {
    const { call, done, feed, eventsOf } = await openUpdating(releaseOf(installer));
    expect(await call("updates.get", {})).toMatchObject({
      whyNot: null,
      phase: "idle",
      release: null,
      isAutomatic: true,
    });
    expect(await call("updates.check", {})).toMatchObject({
      phase: "ready",
      outcome: null,
      release: {
        version: "9.9.9",
        isOlder: false,
        migrates: false,
        changes: "- Films open faster.",
      },
    });
    expect(eventsOf("updates.changed").map(({ state }) => state.phase)).toContain("fetching");
    await call("updates.install", { isUnsaved: false });
    expect(done).toEqual({ restarts: 1, prepared: ["9.9.9"] });
    expect(feed.asked.map(({ headers }) => headers["x-user-staging-id"])).toEqual([undefined, undefined]);
  });

  it("are not installed during an unsaved correction or a measurement, with the reason", async () => {
    const engine = scriptedEngine();
    const measured = Promise.withResolvers<null>();
    const { call, addFile, done, context } = await openUpdating(releaseOf(installer), {
      engine: { ...engine, measure: async (...args) => (await measured.promise, engine.measure(...args)) },
    });
    await call("updates.check", {});
    expect(await call("updates.install", { isUnsaved: true })).toMatchObject({
      outcome: { kind: "wait", reason: "unsaved" },
    });
    await addFile("film.png", await smallPicture(1));
    await expect.poll(() => context.queue.size).toBe(1);
    expect(await call("updates.install", { isUnsaved: false })).toMatchObject({
      outcome: { kind: "wait", reason: "under_way" },
    });
    expect(done.restarts).toBe(0);
    measured.resolve(null);
    await expect.poll(() => context.queue.size).toBe(0);
    await call("updates.install", { isUnsaved: false });
    expect(done.restarts).toBe(1);
  });

  it("are installed when the program ends, unless postponed until the next day", async () => {
    const { call, updates, setNow } = await openUpdating(releaseOf(installer));
    expect(await updates.takesAtQuit()).toBe(false);
    await updates.check(false);
    expect(await updates.takesAtQuit()).toBe(true);
    expect(await call("updates.later", {})).toMatchObject({ laterUntil: expect.stringMatching(/^2026-11-22T09/) });
    expect(await updates.takesAtQuit()).toBe(false);
    setNow(new Date("2026-11-22T10:00:00Z"));
    expect(await updates.takesAtQuit()).toBe(true);
    await call("updates.configure", { isAutomatic: false, mirror: "" });
    expect(await updates.takesAtQuit()).toBe(false);
  });

  it("are offered automatically to a share of the installations, and to all on request", async () => {
    const { updates, call, publish } = await openUpdating(releaseOf(installer, {}, { share: 0 }));
    expect(await updates.check(false)).toMatchObject({
      outcome: { kind: "wait", reason: "not_in_share" },
      release: null,
    });
    expect(await call("updates.check", {})).toMatchObject({ release: { version: "9.9.9" } });
    expect(await updates.takesAtQuit()).toBe(false);
    publish(releaseOf(installer, {}, { share: 1 }));
    expect(await updates.check(false)).toMatchObject({ phase: "ready" });
  });

  it("drop a release whose share is withdrawn, unless it was requested", async () => {
    const { updates, call, publish, done } = await openUpdating(releaseOf(installer));
    expect(await updates.check(false)).toMatchObject({ phase: "ready" });
    publish(releaseOf(installer, {}, { share: 0 }));
    expect(await updates.check(false)).toMatchObject({ phase: "idle", release: null });
    expect(await updates.takesAtQuit()).toBe(false);
    expect(await call("updates.check", {})).toMatchObject({ phase: "ready", release: { version: "9.9.9" } });
    expect(await updates.check(false)).toMatchObject({ phase: "ready", release: { version: "9.9.9" } });
    expect(await updates.takesAtQuit()).toBe(false);
    publish(releaseOf(installer, {}, { changes: "- What was wrong." }));
    expect(await updates.check(false)).toMatchObject({ release: { changes: "- What was wrong." } });
    expect(await updates.takesAtQuit()).toBe(true);
    publish(releaseOf(installer, {}, { share: 0 }));
    expect(await updates.check(false)).toMatchObject({ phase: "ready", release: { version: "9.9.9" } });
    expect(await updates.takesAtQuit()).toBe(false);
    expect(done.prepared).toEqual(["9.9.9", "9.9.9"]);
  });

  it("drop a release that is no longer offered", async () => {
    const { updates, publish } = await openUpdating(releaseOf(installer));
    await updates.check(false);
    publish(releaseOf(installer, {}, { version: "0.0.9" }));
    expect(await updates.check(false)).toMatchObject({ phase: "idle", release: null, outcome: { kind: "current" } });
    expect(await updates.takesAtQuit()).toBe(false);
  });

  it("do not download a release outside its share while a film is measured", async () => {
    const [engine, measured] = [scriptedEngine(), Promise.withResolvers<null>()];
    const { updates, addFile, context, done } = await openUpdating(releaseOf(installer, {}, { share: 0 }), {
      engine: { ...engine, measure: async (...args) => (await measured.promise, engine.measure(...args)) },
    });
    await addFile("film.png", await smallPicture(1));
    await expect.poll(() => context.queue.size).toBe(1);
    expect(await updates.check(false)).toMatchObject({ outcome: { kind: "wait", reason: "not_in_share" } });
    expect(done.prepared).toEqual([]);
    measured.resolve(null);
    await expect.poll(() => context.queue.size).toBe(0);
  });

  it("migrate a local store, but wait until the owner of a practice's database has migrated it", async () => {
    const later = "9999-later.sql";
    const changing = releaseOf(installer, {}, { migrations: [...migrations, later] });
    const { call, context, updates, done } = await openUpdating(changing);
    const isShared = engineOf(context.db).file === null;
    expect(await call("updates.check", {})).toMatchObject({ release: { migrates: true, waitsForOwner: isShared } });
    expect(await updates.takesAtQuit()).toBe(!isShared);
    await call("updates.install", { isUnsaved: false });
    expect(done.restarts).toBe(isShared ? 0 : 1);
    if (!isShared) return;
    expect(await call("updates.get", {})).toMatchObject({ outcome: { kind: "wait", reason: "owner" } });
    await context.db.insertInto("migrations").values({ name: later, sha256: "", appliedAtMs: 0 }).execute();
    const migrated = { release: { migrates: false, waitsForOwner: false }, outcome: null };
    expect(await call("updates.get", {})).toMatchObject(migrated);
    expect(await call("updates.check", {})).toMatchObject(migrated);
    expect(await updates.takesAtQuit()).toBe(true);
    await call("updates.install", { isUnsaved: false });
    expect(done.restarts).toBe(1);
  });

  it.each([
    [
      "another publisher's signature",
      "updateUnsigned",
      (release: ReleaseStatement) => signRelease(release, makePublisher().privateKey),
    ],
    [
      "a statement changed after it was signed",
      "updateUnsigned",
      (release: ReleaseStatement) => signRelease(release, publisher.privateKey).replace("9.9.9", "9.9.8"),
    ],
    ["a file that is not a statement", "updateIsNone", () => "<html>"],
    ["a statement that is too long", "updateIsNone", () => "x".repeat(600_000)],
  ])("reject %s", async (_what, name, statement) => {
    const { call, files, done } = await openUpdating(releaseOf(installer));
    files.set("corvet-release.json", Buffer.from(statement(releaseOf(installer))));
    expect(await call("updates.check", {})).toMatchObject(failedWith(name));
    expect(done.prepared).toEqual([]);
  });

  it("reject a changed installer, a release for other systems and an unreachable server", async () => {
    const { call, files, publish, feed } = await openUpdating(releaseOf(installer));
    files.set("Corvet-9.9.9.AppImage", Buffer.from("a trojan horse of the same"));
    expect(await call("updates.check", {})).toMatchObject({
      phase: "idle",
      outcome: { kind: "failed", failure: { code: "UPDATE_FAILED" } },
    });
    await expect(call("updates.install", { isUnsaved: false })).rejects.toMatchObject({ code: "UPDATE_REFUSED" });
    publish(releaseOf(installer, { kind: "nsis", platform: "win32", name: "Corvet Setup 9.9.9.exe" }));
    expect(await call("updates.check", {})).toMatchObject(failedWith("updateForOthers"));
    await feed.close();
    expect(await call("updates.check", {})).toMatchObject(failedWith("updateUnreachable"));
  });

  it("require a publisher's key, and TLS for a mirror", async () => {
    const { call } = await openUpdating(releaseOf(installer), { keys: [] });
    expect(await call("updates.get", {})).toMatchObject({ whyNot: "no_key" });
    expect(await call("updates.check", {})).toMatchObject(failedWith("updateKeyMissing"));
    await expect(call("updates.configure", { isAutomatic: true, mirror: "http://nas/" })).rejects.toMatchObject({
      code: "INVALID_FIELD",
    });
    // Both changes are saved, since each changes only its own field.
    await Promise.all([
      call("updates.configure", { mirror: "https://nas/corvet" }),
      call("updates.configure", { isAutomatic: false }),
    ]);
    expect(await call("updates.get", {})).toMatchObject({ feed: "https://nas/corvet", isAutomatic: false });
  });

  it("are not installed when the program ends if the store cannot be read", async () => {
    const { context, updates } = await openUpdating(releaseOf(installer));
    await updates.check(false);
    await context.db.schema.alterTable("settings").renameTo("settings_away").execute();
    expect(await updates.takesAtQuit()).toBe(false);
  });

  it("can be checked again after a store fault, which does not prevent closing", async () => {
    const { call, context, desktop } = await openUpdating(releaseOf(installer));
    const { schema } = context.db;
    await schema.alterTable("settings").renameTo("settings_away").execute();
    await expect(call("updates.check", {})).rejects.toMatchObject({ code: "INTERNAL" });
    await schema.alterTable("settings_away").renameTo("settings").execute();
    expect(await call("updates.get", {})).toMatchObject({ phase: "idle" });
    await schema.alterTable("settings").renameTo("settings_away").execute();
    await expect(call("updates.check", {})).rejects.toMatchObject({ code: "INTERNAL" });
    await expect(desktop.close()).resolves.toBeUndefined();
  });

  it("are not available in the service, which is updated as a package", async () => {
    const bench = await openBench();
    closing.push(() => bench.remove());
    expect(await bench.call("updates.get", {})).toMatchObject({ whyNot: "service" });
    await expect(bench.call("updates.check", {})).rejects.toMatchObject({ code: "NOT_AVAILABLE" });
  });
});

describe("updates from a file", () => {
  const write = (
    name: string,
    release: ReleaseStatement,
    bytes: Uint8Array = installer,
    key = publisher.privateKey,
  ) => {
    const place = mkdtempSync(path.join(tmpdir(), "corvet-update-file-"));
    closing.push(() => Promise.resolve(rmSync(place, { recursive: true, force: true })));
    return writeUpdateFile(path.join(place, name), release, key, bytes);
  };

  it("serve the installer alone, also to requests that cannot be decoded", async () => {
    const release = releaseOf(installer);
    const file = await write("Corvet.corvet-update", release);
    const { address, close } = await openUpdateFile(file, [publisher.publicKey], target);
    closing.push(close);
    const statusOf = async (name: string) => (await fetch(new URL(name, address))).status;
    const names = [release.files[0]!.name, "%E0%A4%A", "corvet-release.json"];
    expect(await Promise.all(names.map(statusOf))).toEqual([200, 404, 404]);
  });

  it("install a signed file offline, only on request", async () => {
    const { call, done, chosen, feed, updates } = await openUpdating(null);
    chosen.file = await write("Corvet.corvet-update", releaseOf(installer, {}, { share: 0 }));
    expect(await call("updates.openFile", {})).toMatchObject({ release: { version: "9.9.9" } });
    await call("updates.install", { isUnsaved: false });
    expect([done, feed.asked, await updates.takesAtQuit()]).toEqual([{ restarts: 1, prepared: ["9.9.9"] }, [], false]);
  });

  it("downgrade on request to a version that supports the store", async () => {
    const { call, done, chosen, updates } = await openUpdating(null);
    chosen.file = await write("old.corvet-update", releaseOf(installer, {}, { version: "0.0.9", migrations }));
    expect(await call("updates.openFile", {})).toMatchObject({
      release: { version: "0.0.9", isOlder: true, migrates: false },
    });
    expect(await updates.takesAtQuit()).toBe(false);
    await call("updates.install", { isUnsaved: false });
    expect(done.restarts).toBe(1);
  });

  it("reject a downgrade to a version that cannot open the store, with the reason", async () => {
    const { call, done, chosen } = await openUpdating(null);
    const older = releaseOf(installer, {}, { version: "0.0.9", migrations: migrations.slice(0, -1) });
    chosen.file = await write("old.corvet-update", older);
    expect(await call("updates.openFile", {})).toMatchObject({
      outcome: {
        kind: "failed",
        failure: { code: "UPDATE_REFUSED", reason: { name: "updateStoreTooNew", values: { version: "0.0.9" } } },
      },
    });
    expect(done.prepared).toEqual([]);
  });

  it("reject the running version, with the reason", async () => {
    const { call, done, chosen } = await openUpdating(null);
    chosen.file = await write("same.corvet-update", releaseOf(installer, {}, { version: "0.1.0", migrations }));
    expect(await call("updates.openFile", {})).toMatchObject({
      outcome: {
        kind: "failed",
        failure: { code: "UPDATE_REFUSED", reason: { name: "updateSame", values: { version: "0.1.0" } } },
      },
    });
    expect(done.prepared).toEqual([]);
  });

  it("reject files of other publishers and systems, and truncated, changed and invalid files", async () => {
    const { call, chosen, dataDir } = await openUpdating(null);
    const open = async (file: string) => {
      chosen.file = file;
      return call("updates.openFile", {});
    };
    const release = releaseOf(installer);
    expect(await open(await write("a.corvet-update", release, installer, makePublisher().privateKey))).toMatchObject(
      failedWith("updateUnsigned"),
    );
    expect(await open(await write("b.corvet-update", release, installer.subarray(1)))).toMatchObject(
      failedWith("updateDamaged"),
    );
    const other = Buffer.from(installer);
    other[3]! ^= 1;
    expect(await open(await write("c.corvet-update", release, other))).toMatchObject({
      outcome: { kind: "failed", failure: { code: "UPDATE_FAILED" } },
    });
    const windows = releaseOf(installer, { kind: "nsis", platform: "win32", name: "Corvet Setup 9.9.9.exe" });
    expect(await open(await write("d.corvet-update", windows))).toMatchObject(failedWith("updateForOthers"));
    const text = path.join(dataDir, "letter.corvet-update");
    writeFileSync(text, "Dear colleague");
    expect(await open(text)).toMatchObject(failedWith("updateIsNone"));
    expect(await open(path.join(dataDir, "gone.corvet-update"))).toMatchObject(failedWith("updateIsNone"));
  });
});
