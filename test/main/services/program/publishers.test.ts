import { generateKeyPairSync } from "node:crypto";
import { expect, it, vi } from "vitest";
import type { Engine } from "../../../../main/inference/engine.ts";
import { listAuditEvents } from "../../../../main/store/audit/audit-events.ts";
import { publishersSetting, saveSetting } from "../../../../main/store/settings.ts";
import { waitFor } from "../../../fixtures/patience.ts";
import { openBenchForTest } from "../../../fixtures/use-bench.ts";

const newKey = () => generateKeyPairSync("ed25519").publicKey.export({ type: "spki", format: "pem" }).toString();

it("adds a publisher by its key, removes it by its fingerprint, and audits both", async () => {
  const bench = await openBenchForTest({ start: false });
  const key = newKey();
  await bench.call("publishers.add", { name: "Example Ltd", key });
  const { publishers } = await bench.call("publishers.list", {});
  expect(publishers).toMatchObject([
    { name: "Example Ltd", fingerprint: expect.stringMatching(/^[0-9A-F:]{95}$/) as string },
  ]);
  const fingerprint = publishers[0]?.fingerprint ?? "";
  await expect(bench.call("publishers.add", { name: "Again", key })).rejects.toMatchObject({ code: "CONFLICT" });
  await expect(bench.call("publishers.add", { name: "None", key: "AAAA" })).rejects.toMatchObject({
    code: "INVALID_FIELD",
  });
  await bench.call("publishers.remove", { fingerprint });
  expect(await bench.call("publishers.list", {})).toEqual({ publishers: [] });
  await expect(bench.call("publishers.remove", { fingerprint })).rejects.toMatchObject({ code: "NOT_FOUND" });
  const { rows } = await listAuditEvents(bench.context.db, { offset: 0, limit: 10 });
  expect(rows.map(({ detail }) => detail)).toEqual([
    { removed: "Example Ltd", fingerprint },
    { added: "Example Ltd", fingerprint },
  ]);
});

it("reports a publisher whose packs cannot be loaded, and loads them at the next check", async () => {
  const bench = await openBenchForTest({ start: false });
  bench.engine.reload = () => Promise.reject(new Error("out of memory"));
  await expect(bench.call("publishers.add", { name: "Example Ltd", key: newKey() })).rejects.toThrow();
  expect(bench.eventsOf("publishers.changed")).toEqual([{}]);
  bench.engine.reload = () => Promise.resolve();
  bench.desktop.reloadPublishers();
  await waitFor(() => expect(bench.eventsOf("packs.changed")).toHaveLength(1));
});

it("does not reload packs while the publishers are unchanged", async () => {
  const bench = await openBenchForTest({ start: false });
  const reload = vi.spyOn(bench.engine, "reload");
  bench.desktop.context.raise({ name: "events.missed", payload: {} });
  await bench.desktop.close();
  expect(reload).not.toHaveBeenCalled();
});

it("keeps a pack active that was selected while another workstation changed the publishers", async () => {
  const bench = await openBenchForTest({ start: false });
  const loading = Promise.withResolvers<null>();
  const loaded: Parameters<Engine["reload"]>[0][] = [];
  bench.engine.reload = async (active) => {
    loaded.push(active);
    await loading.promise;
  };
  const activation = bench.call("packs.activate", { name: "landmarks-corvet" });
  await waitFor(() => expect(loaded).toHaveLength(1));
  await saveSetting(bench.context.db, publishersSetting, [{ name: "Elsewhere", publicKey: "", addedAt: "" }]);
  bench.desktop.context.raise({ name: "publishers.changed", payload: {} });
  // Once two further calls have returned, the event has been processed unless it waits for the activation.
  for (let asked = 0; asked < 2; asked += 1) await bench.call("settings.get", {});
  loading.resolve(null);
  await activation;
  await bench.desktop.close();
  expect(loaded.at(-1)).toEqual({ landmarks: "landmarks-corvet" });
});
