import { expect, it } from "vitest";
import { recordExported } from "../../../../main/services/results/exported-films.ts";
import { listAuditEvents } from "../../../../main/store/audit/audit-events.ts";
import { transaction } from "../../../../main/store/engines/engine.ts";
import { useBench } from "../../../fixtures/use-bench.ts";
import { refuseRows } from "../../../fixtures/raw-store.ts";

const bench = useBench();

const films = Array.from({ length: 250 }, (_, index) => ({ id: `film ${index}`, sha256: `${index}`, frameIndex: 0 }));
const recorded = async () =>
  (await listAuditEvents(bench.context.db, { actions: ["film.exported"], limit: 0, offset: 0 })).total;

it("allows other writes while many films are recorded as exported", async () => {
  const { db } = bench.context;
  const recording = recordExported(bench.context, films, "pictures");
  expect(await transaction(db, recorded)).toBeLessThan(films.length);
  await recording;
  expect(await recorded()).toBe(films.length);
});

it("records no further films once it is cancelled", async () => {
  const cancel = new AbortController();
  let asked = 0;
  const now = () => {
    asked += 1;
    if (asked === 150) cancel.abort();
    return new Date();
  };
  const { db } = bench.context;
  const record = () => recordExported({ db, now }, films, "pictures", cancel.signal);
  await expect(record()).rejects.toThrow(expect.objectContaining({ name: "AbortError" }));
  expect([asked, await recorded()]).toEqual([150, 100]);
  await expect(record()).rejects.toThrow(expect.objectContaining({ name: "AbortError" }));
  expect([asked, await recorded()]).toEqual([150, 100]);
});

it("fails if a film cannot be recorded, and keeps earlier batches", async () => {
  const refusal = { message: "refused", condition: "NEW.subject = 'film 150'" };
  await refuseRows(bench.context.db, "audit_events", refusal);
  await expect(recordExported(bench.context, films, "pictures")).rejects.toThrow("refused");
  expect(await recorded()).toBe(100);
});
