// Runs once: its queries are tested elsewhere.
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import type { ReleaseStatement } from "../../../../core/updates/release-statement.ts";
import type { UpdateHost } from "../../../../main/services/updates/update-host.ts";
import { signRelease } from "../../../../main/services/updates/signed-release.ts";
import { deferred } from "../../../fixtures/deferred.ts";
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

/** A desktop that fetches and hashes for real and installs nothing. */
function desktopHost(chosen: { file: string | null }) {
  const done = { restarts: 0, prepared: [] as string[] };
  const host: UpdateHost = {
    target: { platform: "linux", arch: process.arch === "arm64" ? "arm64" : "x64", kind: "AppImage" },
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
  it("finds, checks and fetches a newer release, and installs it when asked", async () => {
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
        isFromFile: false,
        changes: "- Films open faster.",
      },
    });
    expect(eventsOf("updates.changed").map(({ state }) => state.phase)).toContain("fetching");
    await call("updates.install", { isUnsaved: false });
    expect(done).toEqual({ restarts: 1, prepared: ["9.9.9"] });
    expect(feed.asked.map(({ headers }) => headers["x-user-staging-id"])).toEqual([undefined, undefined]);
  });

  it("does not install during an unsaved correction or a measurement, and names which", async () => {
    const engine = scriptedEngine();
    const measured = deferred();
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
    measured.resolve();
    await expect.poll(() => context.queue.size).toBe(0);
    await call("updates.install", { isUnsaved: false });
    expect(done.restarts).toBe(1);
  });

  it("is put off until tomorrow with later, and installed at the end of the program otherwise", async () => {
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

  it("reaches a share of the installations automatically, and any on request", async () => {
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

  it("drops a release whose share is withdrawn, unless requested", async () => {
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

  it("drops a release that is no longer offered", async () => {
    const { updates, publish } = await openUpdating(releaseOf(installer));
    await updates.check(false);
    publish(releaseOf(installer, {}, { version: "0.0.9" }));
    expect(await updates.check(false)).toMatchObject({ phase: "idle", release: null, outcome: { kind: "current" } });
    expect(await updates.takesAtQuit()).toBe(false);
  });

  it("fetches nothing that is not meant for it while a film is under way", async () => {
    const [engine, measured] = [scriptedEngine(), deferred()];
    const { updates, addFile, context, done } = await openUpdating(releaseOf(installer, {}, { share: 0 }), {
      engine: { ...engine, measure: async (...args) => (await measured.promise, engine.measure(...args)) },
    });
    await addFile("film.png", await smallPicture(1));
    await expect.poll(() => context.queue.size).toBe(1);
    expect(await updates.check(false)).toMatchObject({ outcome: { kind: "wait", reason: "not_in_share" } });
    expect(done.prepared).toEqual([]);
    measured.resolve();
    await expect.poll(() => context.queue.size).toBe(0);
  });

  it("migrates a local store, and waits until the owner of a practice's database has migrated that", async () => {
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

  it("never downgrades from the web", async () => {
    const { call, done } = await openUpdating(releaseOf(installer, {}, { version: "0.0.9" }));
    expect(await call("updates.check", {})).toMatchObject({ outcome: { kind: "current" }, release: null });
    expect(done.prepared).toEqual([]);
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
    ["what is no statement", "updateIsNone", () => "<html>"],
    ["more than a statement can be", "updateIsNone", () => "x".repeat(600_000)],
  ])("refuses %s", async (_what, name, statement) => {
    const { call, files, done } = await openUpdating(releaseOf(installer));
    files.set("corvet-release.json", Buffer.from(statement(releaseOf(installer))));
    expect(await call("updates.check", {})).toMatchObject(failedWith(name));
    expect(done.prepared).toEqual([]);
  });

  it("refuses an installer of other bytes than were signed, a release for other machines, and a place that is silent", async () => {
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

  it("takes nothing without a publisher's key, and no mirror without TLS", async () => {
    const { call } = await openUpdating(releaseOf(installer), { keys: [] });
    expect(await call("updates.get", {})).toMatchObject({ whyNot: "no_key" });
    expect(await call("updates.check", {})).toMatchObject(failedWith("updateKeyMissing"));
    await expect(call("updates.configure", { isAutomatic: true, mirror: "http://nas/" })).rejects.toMatchObject({
      code: "INVALID_FIELD",
    });
    // Each of the two is saved alone: a page may send both at once.
    await Promise.all([
      call("updates.configure", { mirror: "https://nas/corvet" }),
      call("updates.configure", { isAutomatic: false }),
    ]);
    expect(await call("updates.get", {})).toMatchObject({ feed: "https://nas/corvet", isAutomatic: false });
  });

  it("stays uninstalled at the end of the program if the store cannot be read then", async () => {
    const { context, updates } = await openUpdating(releaseOf(installer));
    await updates.check(false);
    await context.db.schema.alterTable("settings").renameTo("settings_away").execute();
    expect(await updates.takesAtQuit()).toBe(false);
  });

  it("is looked for again once the store answers, and hinders nothing from closing", async () => {
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

  it("is not for the service, whose package is updated", async () => {
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

  it("takes a signed file without the web, and only when asked", async () => {
    const { call, done, chosen, feed, updates } = await openUpdating(null);
    chosen.file = await write("Corvet.corvet-update", releaseOf(installer, {}, { share: 0 }));
    expect(await call("updates.openFile", {})).toMatchObject({ release: { version: "9.9.9", isFromFile: true } });
    await call("updates.install", { isUnsaved: false });
    expect([done, feed.asked, await updates.takesAtQuit()]).toEqual([{ restarts: 1, prepared: ["9.9.9"] }, [], false]);
  });

  it("downgrades on request to a version that knows the store", async () => {
    const { call, done, chosen, updates } = await openUpdating(null);
    chosen.file = await write("old.corvet-update", releaseOf(installer, {}, { version: "0.0.9", migrations }));
    expect(await call("updates.openFile", {})).toMatchObject({
      release: { version: "0.0.9", isOlder: true, migrates: false },
    });
    expect(await updates.takesAtQuit()).toBe(false);
    await call("updates.install", { isUnsaved: false });
    expect(done.restarts).toBe(1);
  });

  it("refuses to go back to a version that cannot open the store, with the reason, before anything is fetched", async () => {
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

  it("refuses files of another publisher, truncated, changed, of other systems, and invalid ones", async () => {
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
