import { describe, expect, it } from "vitest";
import { AppError } from "../../../../core/app-error.ts";
import type { RadiographMeasurement } from "../../../../core/cardiac/radiograph-measurement.ts";
import { resultDescriptions } from "../../../../core/cardiac/result-codes.ts";
import { listLedgerEvents } from "../../../../main/store/ledger/ledger-reports.ts";
import { listUndelivered } from "../../../../main/store/ledger/undelivered-charges.ts";
import { measured, measuredAt, rejected, unmeasured } from "../../store/sample-store.ts";
import { plainImage } from "../../server/service/sample-images.ts";
import { popMeasured, unrectified, useScriptedService } from "../../server/service/scripted-service.ts";
import { refuseRows } from "../../../fixtures/raw-store.ts";

const service = useScriptedService();
const image = await plainImage();

const says = (measurement: RadiographMeasurement) => (service.script.measure = async () => measurement);
const predict = (extra: object = {}) => service.post("/v3/predict", { image, ...extra });
const charges = async () =>
  (await listLedgerEvents(service.context.db, {})).map(({ kind, callType }) => `${kind} ${callType}`);
const free = { billable: false, reason: "no_valid_vhs", monthly_usage: 0, tier: "paygo" };

describe("single image", () => {
  it("answers the whole result of section 2.2", async () => {
    expect((await predict()).body).toEqual({
      vhs: 10.12,
      vlas: 2.35,
      result_code: 1,
      result_description: resultDescriptions[1],
      model_confidence: "optimal",
      spread: 0.003217,
      pop_detected: false,
      model_version: "3.4.0-ensemble",
      historic_vhs: null,
      historic_vlas: null,
      prediction: [
        { x: 0.463194, y: 0.333333, class: "heart_top" },
        { x: 0.574074, y: 0.778333, class: "heart_bottom" },
        { x: 0.388889, y: 0.577778, class: "heart_right" },
        { x: 0.648148, y: 0.522222, class: "heart_left" },
        { x: 0.564815, y: 0.366667, class: "VLAS" },
        { x: 0.324074, y: 0.222222, class: "Vertebra A" },
        { x: 0.787037, y: 0.211111, class: "Vertebra B" },
      ],
      billing: { billable: true, reason: "valid_vhs", call_type: "single", monthly_usage: 1, tier: "paygo", rate: 3 },
    });
  });
  it("adds intervals and review reasons on request only", async () => {
    const reviewReasons = [{ kind: "member_scatter", value: 0.172, limit: 0.11 } as const];
    const intervals = { coverage: 0.8, vhs: { low: 9.523_456, high: 10.723_456 }, vlas: null };
    says({ ...measured, tier: "review", resultCode: 3, reviewReasons, intervals });
    const plain = (await predict()).body;
    expect(plain).not.toHaveProperty("details");
    expect((await predict({ details: false })).body).not.toHaveProperty("details");
    expect((await predict({ details: true })).body).toEqual({
      ...plain,
      billing: { ...(plain["billing"] as object), monthly_usage: 3 },
      details: {
        vhs_interval: { low: 9.52, high: 10.72, coverage: 0.8 },
        vlas_interval: null,
        review_reasons: [{ reason: "member_scatter", value: 0.172, limit: 0.11 }],
      },
    });
    expect(await predict({ details: 1 })).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining("details") as string },
    });
  });
  it("adds details to each measured photo of a batch", async () => {
    says({ ...measured, intervals: { coverage: 0.8, vhs: { low: 9, high: 11 }, vlas: { low: 2, high: 3 } } });
    const { body } = await service.post("/v3/predict", { images: [image, "not base64"], details: true });
    expect((body["per_photo"] as Record<string, unknown>[]).map(({ details }) => details)).toEqual([
      {
        vhs_interval: { low: 9, high: 11, coverage: 0.8 },
        vlas_interval: { low: 2, high: 3, coverage: 0.8 },
        review_reasons: [],
      },
      undefined,
    ]);
  });
  it("a rejection has exactly its fields", async () => {
    says(rejected);
    expect((await predict({ uuid: "patient-1", render: true })).body).toEqual({
      classifier_confidence: 0.97,
      model_version: "3.4.0-ensemble",
      rejected: true,
      rejection_reason: "not_a_valid_radiograph",
      result_code: 6,
      result_description: "Image rejected, not a valid radiograph",
      vhs: null,
      vlas: null,
      billing: free,
    });
  });
  it("a rejection has empty details on request, as in a batch", async () => {
    says(rejected);
    expect((await predict({ details: true })).body).toMatchObject({
      rejected: true,
      details: { vhs_interval: null, vlas_interval: null, review_reasons: [] },
    });
  });
  it.each<[number, RadiographMeasurement, boolean]>([
    [0, { ...unmeasured, resultCode: 0 }, false],
    [1, measured, true],
    [2, { ...measured, resultCode: 2, tier: "good" }, true],
    [3, { ...measured, resultCode: 3, tier: "review" }, true],
    [4, { ...measuredAt(9, null), resultCode: 4 }, true],
    [5, unmeasured, false],
    [7, unrectified, false],
  ])("code %i", async (code, measurement, isBilled) => {
    says(measurement);
    const { body } = await predict();
    expect(body).toMatchObject({
      result_code: code,
      result_description: resultDescriptions[code as 0],
      billing: { billable: isBilled },
    });
    if (!isBilled)
      expect(body).toMatchObject({
        vhs: null,
        vlas: null,
        prediction: [],
        model_confidence: "review",
        pop_detected: false,
      });
    expect(await charges()).toEqual(isBilled ? ["charge single"] : []);
  });
  it("a photograph of a screen has no spread", async () => {
    says(popMeasured);
    expect((await predict()).body).toMatchObject({ spread: null, pop_detected: true, result_code: 1 });
  });
  it("a landmark beyond the border is shown on it", async () => {
    says({ ...measured, landmarks: { ...measured.landmarks, "Vertebra B": { x: 1200, y: -4 } } });
    expect((await predict()).body["prediction"]).toContainEqual({ x: 1, y: 0, class: "Vertebra B" });
  });
  it("history is the account's, oldest first, without this call; an empty one is an empty array", async () => {
    const first = await predict({ uuid: "patient-1" });
    service.clock.at = new Date("2026-11-12T10:00:00Z");
    says(measuredAt(11));
    const second = await predict({ uuid: "patient-1" });
    const foreign = await service.post(
      "/v3/predict",
      { image, uuid: "patient-1" },
      { "x-api-key": service.foreignKey },
    );
    expect([first, second, foreign].map(({ body }) => [body["historic_vhs"], body["historic_vlas"]])).toEqual([
      [[], []],
      [[["2026-11-10T09:00:00.000Z", 10.12]], [["2026-11-10T09:00:00.000Z", 2.35]]],
      [[], []],
    ]);
  });
  it("the same patient within 24 hours is free", async () => {
    await predict({ uuid: "patient-1" });
    expect((await predict({ uuid: "patient-1" })).body["billing"]).toEqual({
      billable: false,
      reason: "recheck_24h",
      monthly_usage: 1,
      tier: "paygo",
    });
    expect(await charges()).toEqual(["charge single"]);
  });
  it("returns the measurement when the ledger cannot be written", async () => {
    await refuseRows(service.context.db, "ledger", { message: "disk full" });
    expect((await predict()).body).toMatchObject({
      vhs: 10.12,
      billing: { billable: false, reason: "billing_error", monthly_usage: 0 },
    });
    expect(service.faults).toMatchObject([{ code: "LEDGER_NOT_WRITTEN" }]);
    expect(await charges()).toEqual([]);
  });
  it("networks that are not there are 503, unbilled", async () => {
    service.script.measure = async () => {
      throw new AppError("MODELS_NOT_LOADED");
    };
    expect(await predict()).toMatchObject({ status: 503, body: { error: "Models not available" } });
    expect(await charges()).toEqual([]);
  });
  it("leaves no charge to reverse after the response", async () => {
    await predict();
    await expect.poll(() => listUndelivered(service.context.db)).toEqual([]);
  });
});
