import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  confirmDelivery,
  recordAnsweredCall,
  withdrawCharge,
  withdrawLostCharges,
} from "../../../../main/services/calls/delivery.ts";
import { verifyLedger } from "../../../../main/store/ledger/ledger-verification.ts";
import { listUndelivered } from "../../../../main/store/ledger/undelivered-charges.ts";
import { useScriptedService } from "../../server/service/scripted-service.ts";
import { meteredCall, unmeasured } from "../../store/sample-store.ts";

const service = useScriptedService();

/** Records a call of one patient whose answer is about to be written. */
const call = (callId: string, change: Partial<Parameters<typeof recordAnsweredCall>[1]> = {}) =>
  recordAnsweredCall(service.context, {
    ...meteredCall({ accountId: service.accountId, uuid: "rex", at: service.clock.at }),
    callId,
    answerUntil: null,
    ...change,
  }).reason;
const isDelivered = (callId: string) => confirmDelivery(service.context, callId);
const isLost = (callId: string) => withdrawCharge(service.context, callId);
const after = (minutes: number) => {
  service.clock.at = new Date(service.clock.at.getTime() + minutes * 60_000);
  withdrawLostCharges(service.context, { isStart: false });
};
/** Rows of the ledger, and charges that wait for their answer. */
const outcome = () => [
  service.context.db.prepare("SELECT kind FROM ledger ORDER BY seq").pluck().all(),
  listUndelivered(service.context.db).length,
];
const stands = [["charge"], 0];
const isTakenBack = [["charge", "reversal"], 0];

describe("a charge", () => {
  beforeEach(() => expect(call("one")).toBe("valid_vhs"));
  afterEach(() => expect(verifyLedger(service.context.db).isIntact).toBe(true));

  it("stands when its answer is delivered, and is taken back when that is lost", () => {
    isDelivered("one");
    isLost("one");
    expect(outcome()).toEqual(stands);
    expect(call("two", { uuid: "bello" })).toBe("valid_vhs");
    isLost("two");
    expect(outcome()).toEqual([["charge", "charge", "reversal"], 0]);
  });
  it("stands when a recheck that it made free is delivered, though its own answer is lost later", () => {
    expect(call("two")).toBe("recheck_24h");
    isDelivered("two");
    isLost("one");
    expect(outcome()).toEqual(stands);
  });
  it("stands when the first answer is lost and the recheck's is delivered", () => {
    call("two");
    isLost("one");
    expect(outcome()).toEqual([["charge"], 1]);
    isDelivered("two");
    after(60);
    expect(outcome()).toEqual(stands);
  });
  it("is taken back when the recheck's answer is lost as well", () => {
    call("two");
    isLost("one");
    isLost("two");
    expect(outcome()).toEqual(isTakenBack);
  });
  it("is taken back in the end when the recheck was lost before", () => {
    call("two");
    isLost("two");
    isLost("one");
    after(9);
    expect(outcome()).toEqual([["charge"], 1]);
    after(1);
    expect(outcome()).toEqual(isTakenBack);
  });
  it("is taken back when what else was delivered is another patient's or no value", () => {
    call("two", { uuid: "bello" });
    call("three", { isBillable: false, measurements: [unmeasured] });
    for (const callId of ["two", "three"]) isDelivered(callId);
    isLost("one");
    expect(outcome()).toEqual([["charge", "charge", "reversal"], 0]);
  });
  it("is taken back at the next start, recheck or not", () => {
    call("two");
    withdrawLostCharges(service.context, { isStart: true });
    expect(outcome()).toEqual(isTakenBack);
  });
  it("is taken back later when it cannot be looked up now", () => {
    service.context.db.exec("ALTER TABLE undelivered_charges RENAME TO elsewhere");
    expect(() => isLost("one")).not.toThrow();
    service.context.db.exec("ALTER TABLE elsewhere RENAME TO undelivered_charges");
    isLost("one");
    expect(outcome()).toEqual(isTakenBack);
  });
});

describe("seeing an answer off", () => {
  it("costs the same with 20,000 other calls in the store", () => {
    const { db } = service.context;
    db.pragma("synchronous = OFF");
    const median = (name: string) => {
      const times = Array.from({ length: 31 }, (_, run) => {
        call(`${name}-${run}`, { uuid: `${name}-${run}` });
        const start = performance.now();
        isDelivered(`${name}-${run}`);
        return performance.now() - start;
      });
      return times.sort((a, b) => a - b)[15] ?? Number.NaN;
    };
    median("warm");
    const few = median("few");
    const columns = (db.pragma("table_info(measurements)") as { name: string }[])
      .map(({ name }) => name)
      .filter((name) => name !== "id" && name !== "call_id");
    db.exec(
      `WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 20000)
       INSERT INTO measurements (call_id, ${columns.join()}) SELECT 'other-' || n, ${columns.join()} FROM number, (SELECT * FROM measurements LIMIT 1)`,
    );
    expect(median("many")).toBeLessThan(5 * few);
  });
});
