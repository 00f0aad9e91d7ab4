import { expect, it } from "vitest";
import { noteRefusal } from "../../../../main/services/people/refusals.ts";
import { listAuditEvents } from "../../../../main/store/audit/audit-events.ts";
import { temporaryStore } from "../../store/sample-store.ts";
import { useStore } from "../../../fixtures/use-store.ts";

const store = useStore();

it("records the first of many refusals at once and further ones in few events with counts", async () => {
  let nowMs = Date.UTC(2026, 10, 21, 9);
  const log = { info: () => undefined, warn: (fields: object) => void warned.push(fields), error: () => undefined };
  const warned: object[] = [];
  const context = { db: store.db, refusals: new Map(), now: () => new Date(nowMs), log };
  const refuse = () => noteRefusal(context, "key.refused");
  const times = async () =>
    (await listAuditEvents(store.db, { limit: 1000, offset: 0 })).rows
      .map(({ detail }) => Number(detail["times"]))
      .reverse();
  await refuse();
  expect([await times(), warned]).toEqual([[1], [{ security: "key.refused", times: 1 }]]);
  // One refusal every ten seconds for a day.
  for (let second = 10; second <= 24 * 3600; second += 10) {
    nowMs += 10_000;
    await refuse();
  }
  const counted = await times();
  expect(counted.length).toBeLessThan(32);
  expect(warned).toEqual(counted.map((count) => ({ security: "key.refused", times: count })));
  expect(counted.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(8000);
});

it("logs few of many refusals while the store cannot be written, and records them afterwards", async () => {
  let nowMs = Date.UTC(2026, 10, 21, 9);
  const warned: object[] = [];
  const log = { info: () => undefined, warn: (fields: object) => void warned.push(fields), error: () => undefined };
  const [away, refusals] = [await temporaryStore(), new Map()];
  await away.remove();
  const refuse = (db = store.db) => noteRefusal({ db, refusals, now: () => new Date(nowMs), log }, "key.refused");
  for (let count = 0; count < 100; count += 1) await refuse(away.db);
  expect(warned).toMatchObject([{ security: "key.refused", times: 1 }, { action: "key.refused" }]);
  nowMs += 60_000;
  await refuse();
  const { rows } = await listAuditEvents(store.db, { limit: 10, offset: 0 });
  expect(rows).toMatchObject([{ action: "key.refused", detail: { times: 101 } }]);
});
