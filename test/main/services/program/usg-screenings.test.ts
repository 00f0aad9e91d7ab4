// Runs once: its queries are tested elsewhere.
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createKey } from "../../../../main/services/calls/keys.ts";
import { savePracticePatient } from "../../../../main/services/worklist/orders/practice-patient.ts";
import { findIdentity, readPatientRecord } from "../../../../main/store/privacy/patient-record.ts";
import { rawly } from "../../../fixtures/raw-store.ts";
import { listLedgerPeriods } from "../../../../main/store/ledger/ledger-reports.ts";
import { openBenchForTest, useBench } from "../../../fixtures/use-bench.ts";

const bench = useBench();

const features = { BUN: 28, CREATININE: "1.6", HGB: 12.5, "ABSOLUTE LYMPHOCYTES": 2.5, age_months: 120 };
const cat = (name: string, uuid: string | null) => bench.addPatient({ name, species: "cat", uuid });

describe("screening in the program's own window", () => {
  it("returns the same result as the API with warnings, stores it for the cat and charges nothing", async () => {
    const mia = await cat("Mia", null);
    const screening = await bench.call("usg.screen", { features, patientId: mia.id, clinicCode: "north" });
    expect(screening.result.warnings).toEqual([
      "Abs. Lymphocytes (/uL): 2.5 -> 2500 (value appears to be in thousands, converted to /uL)",
    ]);
    expect(screening).toMatchObject({ patientId: mia.id, clinicCode: "north", result: { threshold_sg: 1.035 } });
    const { screenings } = await bench.call("usg.history", { patientId: mia.id });
    expect(screenings).toEqual([screening]);
    expect(await listLedgerPeriods(bench.context.db)).toEqual([]);
  });

  it("returns and stores the scored values unrounded", async () => {
    const { id: patientId } = await cat("Mia", null);
    const sent = { ...features, CREATININE: 140, "ABSOLUTE LYMPHOCYTES": 2.3456789 };
    const screening = await bench.call("usg.screen", { features: sent, patientId });
    expect(screening.values).toEqual({ ...features, CREATININE: 140 / 88.4, "ABSOLUTE LYMPHOCYTES": 2345.6789 });
    expect((await bench.call("usg.history", { patientId })).screenings[0]).toEqual(screening);
    expect((await bench.call("usg.whatIf", { features: screening.values })).result).toMatchObject({
      probability_impaired: screening.result.probability_impaired,
    });
  });

  it("predicts for the sliders without storing anything, with the same result", async () => {
    const screening = await bench.call("usg.screen", { features, patientId: null });
    expect((await bench.call("usg.whatIf", { features })).result).toEqual(screening.result);
    const older = await bench.call("usg.whatIf", { features: { ...features, CREATININE: 4 } });
    expect(older.result.probability_impaired).toBeGreaterThan(screening.result.probability_impaired);
    expect((await bench.call("usg.report", {})).rows).toMatchObject([{ clinicCode: "", total: 1 }]);
  });

  it("has a separate history per cat, newest first", async () => {
    const [mia, leo] = [await cat("Mia", "P-1"), await cat("Leo", "P-2")];
    for (const CREATININE of [1, 2, 3])
      await bench.call("usg.screen", { features: { ...features, CREATININE }, patientId: mia.id });
    await bench.call("usg.screen", { features, patientId: leo.id });
    const values = async (patientId: string, limit = 10) =>
      (await bench.call("usg.history", { patientId, limit })).screenings.map(
        ({ result }) => result.explanation.features.find(({ feature }) => feature === "CREATININE")?.value,
      );
    expect([await values(mia.id), await values(mia.id, 2), await values(leo.id)]).toEqual([[3, 2, 1], [3, 2], [1.6]]);
  });

  it("belongs to the cat, not to its identifier, when identifiers change", async () => {
    const { context } = bench.desktop;
    const [mia, leo] = [await cat("Mia", null), await cat("Leo", "P-2")];
    for (const { id } of [mia, leo]) await bench.call("usg.screen", { features, patientId: id });
    await bench.call("patients.edit", { patientId: mia.id, uuid: "P-1" });
    await bench.call("patients.edit", { patientId: leo.id, uuid: "P-3" });
    const told = { number: "P-2", name: "Tom", owner: "", species: "cat", breed: "" } as const;
    const tomId = await savePracticePatient(context, told);
    const recordOf = async (id: string) => readPatientRecord(context.db, await findIdentity(context.db, id));
    const held = async (patientId: string) => [
      (await bench.call("usg.history", { patientId })).screenings.length,
      (await recordOf(patientId)).screenings.length,
      (await bench.call("patients.holdings", { patientId })).goes.screenings,
    ];
    expect([await held(mia.id), await held(leo.id), await held(tomId)]).toEqual([
      [1, 1, 1],
      [1, 1, 1],
      [0, 0, 0],
    ]);
    await bench.call("patients.erase", { patientId: tomId, why: "moved away" });
    await bench.call("patients.erase", { patientId: leo.id, why: "moved away" });
    const left = await rawly(context.db, "SELECT patient_id FROM screened_patients");
    expect([left, await held(mia.id)]).toEqual([[{ patient_id: mia.id }], [1, 1, 1]]);
  });

  it("publishes screenings of the API, combined into one event, and reports billed ones", async () => {
    const { context, parts } = bench.desktop;
    const { usg } = parts.options;
    const key = { accountName: "Clinic", name: "", at: context.now() };
    const { keyId, accountId } = await createKey(context.db, key);
    const told: string[] = [];
    bench.desktop.subscribe(({ name }) => void told.push(name));
    const record = (callId: string) => usg.record({ callId, accountId, keyId }, usg.predict(features));
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    await record("one");
    await record("other");
    const changes = () => told.filter((name) => name === "screenings.changed").length;
    expect(changes()).toBe(0);
    vi.advanceTimersByTime(1000);
    expect(changes()).toBe(1);
    await bench.call("usg.screen", { features, patientId: null });
    expect((await bench.call("usg.report", {})).rows).toMatchObject([{ total: 3, billed: 2 }]);
  });

  it("rejects values with the errors of the API and stores nothing", async () => {
    const screening = bench.call("usg.screen", { features: { ...features, BUN: 5000 }, patientId: null });
    await expect(screening).rejects.toMatchObject({ code: "OUT_OF_RANGE" });
    expect((await bench.call("usg.report", {})).rows).toEqual([]);
    // A value in its stated unit is not corrected.
    const sent = { features: { ...features, CREATININE: 50.9 }, patientId: null };
    await expect(bench.call("usg.screen", { ...sent, statedUnits: ["CREATININE"] })).rejects.toMatchObject({
      code: "OUT_OF_RANGE",
    });
    expect((await bench.call("usg.screen", sent)).result.warnings).not.toEqual([]);
  });

  it("reports a missing model", async () => {
    const { call } = await openBenchForTest({ packsDir: "/nowhere" });
    expect(await call("usg.model", {})).toEqual({
      isLoaded: false,
      modelVersion: null,
      sgCutoff: null,
      release: null,
    });
    await expect(call("usg.whatIf", { features })).rejects.toMatchObject({ code: "MODELS_NOT_LOADED" });
  });
});
