import { describe, expect, it } from "vitest";
import { ensureAccount } from "../../../../main/store/people/accounts.ts";
import { getHistory, recordMeasurements, type MeasuredCall } from "../../../../main/store/calls/measurements.ts";
import {
  getSetting,
  hostNamesSetting,
  plainHttpSetting,
  saveSetting,
  usgPriceSetting,
} from "../../../../main/store/settings.ts";
import { measured, measuredAt, rejected, storedMeasurements, storedProvenance, unmeasured } from "../sample-store.ts";
import { rawly } from "../../../fixtures/raw-store.ts";
import { pointsAt } from "../../../fixtures/points-at.ts";
import { openStoreForFile } from "../../../fixtures/use-store.ts";

const { db } = await openStoreForFile();
let calls = 0;
const record = (change: Partial<MeasuredCall> & Pick<MeasuredCall, "accountId">) =>
  recordMeasurements(db, {
    callId: `call ${(calls += 1)}`,
    keyId: null,
    service: "cardiac",
    uuid: "rex",
    at: new Date("2026-11-10T09:00:00Z"),
    measurements: [measured],
    ...change,
  });
const newAccount = async () => (await ensureAccount(db, { name: `Account ${(calls += 1)}`, at: new Date() })).id;

describe("a stored measurement", () => {
  it("contains all measured values, unrounded, and the parameters", async () => {
    const accountId = await newAccount();
    const photographed = {
      ...measured,
      popDetected: true,
      spread: null,
      corners: pointsAt([1, 2], [900, 3], [890, 700], [2, 690]),
      votes: [measured.landmarks],
      outline: pointsAt([1, 2], [3, 2], [2, 5]),
      intervals: { coverage: 0.8, vhs: { low: 9.5, high: 10.7 }, vlas: null },
    };
    const id = await record({ accountId, measurements: [photographed] });
    const [{ parameters, call_id, ...rest } = {}, ...more] = await storedMeasurements(db, accountId);
    expect(more).toEqual([]);
    expect(call_id).toMatch(/^call /);
    expect(parameters).toMatchObject({
      spreadLimits: { optimal: 0.005, good: 0.008 },
      validVhs: { least: 4, most: 20 },
    });
    expect(parameters).not.toHaveProperty("release");
    expect(rest).toEqual({
      id,
      photo_index: 0,
      is_best: 1,
      account_id: accountId,
      key_id: null,
      service: "cardiac",
      uuid: "rex",
      uuid_nfc: "rex",
      at_ms: Date.parse("2026-11-10T09:00:00Z"),
      ...storedProvenance,
      width_px: 1080,
      height_px: 900,
      classifier_confidence: 0.99,
      result_code: 1,
      vhs: 10.123_456,
      vlas: 2.345_678,
      spread: null,
      tier: "optimal",
      pop_detected: 1,
      sharpness: 0.8,
      landmarks: measured.landmarks,
      ruler_kind: "detected",
      ruler_edges: measured.ruler.edges,
      edges: measured.edges,
      corners: photographed.corners,
      votes: [measured.landmarks],
      outline: photographed.outline,
      intervals: photographed.intervals,
    });
  });

  it("contains the release of the pack", async () => {
    const accountId = await newAccount();
    const release = { publisher: "Example Ltd", fingerprint: "SHA256:abc", releasedBy: "Dr. Jane Doe" };
    const provenance = { ...measured.provenance, isClinicallyValidated: true, release };
    await record({ accountId, measurements: [{ ...measured, provenance }] });
    expect(await storedMeasurements(db, accountId)).toMatchObject([{ parameters: { release } }]);
  });

  it("contains provenance and result of an image without a score", async () => {
    const accountId = await newAccount();
    expect(
      await record({
        accountId,
        measurements: [rejected, { ...rejected, kind: "unrectified", resultCode: 7 }, unmeasured],
      }),
    ).toBeNull();
    expect(
      (await storedMeasurements(db, accountId)).map(
        ({ result_code, is_best, pop_detected, landmarks, image_sha256 }) => [
          result_code,
          is_best,
          pop_detected,
          landmarks !== null,
          image_sha256,
        ],
      ),
    ).toEqual([
      [5, 0, 0, true, storedProvenance.image_sha256],
      [7, 0, 1, false, storedProvenance.image_sha256],
      [6, 0, 0, false, storedProvenance.image_sha256],
    ]);
  });
});

describe("a patient's history", () => {
  it("lists one value per call, oldest first, rounded to 2 decimals, without calls that have no VHS", async () => {
    const accountId = await newAccount();
    await record({ accountId, at: new Date("2026-11-03T10:00:00Z"), measurements: [measuredAt(9.006, null)] });
    await record({ accountId, at: new Date("2026-11-01T10:00:00+02:00"), measurements: [measured] });
    await record({ accountId, at: new Date("2026-11-02T10:00:00Z"), measurements: [unmeasured, rejected] });
    await record({
      accountId,
      at: new Date("2026-11-04T10:00:00Z"),
      measurements: [{ ...measuredAt(12), tier: "review" }, measuredAt(10.5, 2.25)],
    });
    expect(await getHistory(db, { accountId, uuid: "rex" })).toEqual({
      historicVhs: [
        ["2026-11-01T08:00:00.000Z", 10.12],
        ["2026-11-03T10:00:00.000Z", 9.01],
        ["2026-11-04T10:00:00.000Z", 10.5],
      ],
      historicVlas: [
        ["2026-11-01T08:00:00.000Z", 2.35],
        ["2026-11-04T10:00:00.000Z", 2.25],
      ],
    });
  });

  it("is empty for an unknown patient, and excludes other accounts", async () => {
    const [one, other] = [await newAccount(), await newAccount()];
    await record({ accountId: one });
    expect([
      await getHistory(db, { accountId: other, uuid: "rex" }),
      await getHistory(db, { accountId: one, uuid: "Rex" }),
    ]).toEqual([
      { historicVhs: [], historicVlas: [] },
      { historicVhs: [], historicVlas: [] },
    ]);
  });
});

describe("a setting", () => {
  it("returns the fallback until a value is saved", async () => {
    expect([
      await getSetting(db, hostNamesSetting),
      await getSetting(db, plainHttpSetting),
      await getSetting(db, usgPriceSetting),
    ]).toEqual([[], false, null]);
    expect(await saveSetting(db, hostNamesSetting, ["xray.clinic.local"])).toEqual(["xray.clinic.local"]);
    await saveSetting(db, plainHttpSetting, true);
    await saveSetting(db, plainHttpSetting, false);
    expect([await getSetting(db, hostNamesSetting), await getSetting(db, plainHttpSetting)]).toEqual([
      ["xray.clinic.local"],
      false,
    ]);
  });

  it("rejects a value that does not match its schema", async () => {
    await expect(saveSetting(db, usgPriceSetting, -1)).rejects.toThrow();
    await expect(saveSetting(db, usgPriceSetting, 1.5)).rejects.toThrow();
    expect(await getSetting(db, usgPriceSetting)).toBeNull();
  });

  it("returns the fallback if the stored value does not match the schema", async () => {
    await rawly(db, "UPDATE settings SET value = '\"yes\"' WHERE key = 'isPlainHttpAllowed'");
    expect(await getSetting(db, plainHttpSetting)).toBe(false);
  });
});
