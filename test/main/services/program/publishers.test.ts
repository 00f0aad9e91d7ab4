import { generateKeyPairSync } from "node:crypto";
import { expect, it } from "vitest";
import { listAuditEvents } from "../../../../main/store/audit/audit-events.ts";
import { openBench } from "../../../fixtures/desktop-bench.ts";

it("adds a publisher by its key once, removes it by its fingerprint, and records both", async ({ onTestFinished }) => {
  const bench = await openBench({ start: false });
  onTestFinished(() => bench.remove());
  const key = generateKeyPairSync("ed25519").publicKey.export({ type: "spki", format: "pem" }).toString();
  const { publishers } = await bench.call("publishers.add", { name: "Example Ltd", key });
  expect(publishers).toMatchObject([
    { name: "Example Ltd", fingerprint: expect.stringMatching(/^[0-9A-F:]{95}$/) as string },
  ]);
  const fingerprint = publishers[0]?.fingerprint ?? "";
  await expect(bench.call("publishers.add", { name: "Again", key })).rejects.toMatchObject({ code: "CONFLICT" });
  await expect(bench.call("publishers.add", { name: "None", key: "AAAA" })).rejects.toMatchObject({
    code: "INVALID_FIELD",
  });
  expect(await bench.call("publishers.remove", { fingerprint })).toEqual({ publishers: [] });
  await expect(bench.call("publishers.remove", { fingerprint })).rejects.toMatchObject({ code: "NOT_FOUND" });
  const { rows } = await listAuditEvents(bench.context.db, { offset: 0, limit: 10 });
  expect(rows.map(({ detail }) => detail)).toEqual([
    { removed: "Example Ltd", fingerprint },
    { added: "Example Ltd", fingerprint },
  ]);
});
