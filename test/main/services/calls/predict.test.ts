import { describe, expect, it } from "vitest";
import type { RadiographMeasurement } from "../../../../core/cardiac/radiograph-measurement.ts";
import { resultDescriptions } from "../../../../core/cardiac/result-codes.ts";
import { measured, rejected } from "../../store/sample-store.ts";
import { plainImage } from "../../server/service/sample-images.ts";
import { useScriptedService } from "../../server/service/scripted-service.ts";

const service = useScriptedService();
const image = await plainImage();

const says = (measurement: RadiographMeasurement) => (service.script.measure = async () => measurement);
const predict = (extra: object = {}) => service.post("/v3/predict", { image, ...extra });

describe("a single image", () => {
  it("returns the complete result of section 2.2", async () => {
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
  it("returns empty details for a rejection on request, as in a batch", async () => {
    says(rejected);
    expect((await predict({ details: true })).body).toMatchObject({
      rejected: true,
      details: { vhs_interval: null, vlas_interval: null, review_reasons: [] },
    });
  });
  it("clamps landmarks to the border of the image", async () => {
    says({ ...measured, landmarks: { ...measured.landmarks, "Vertebra B": { x: 1200, y: -4 } } });
    expect((await predict()).body["prediction"]).toContainEqual({ x: 1, y: 0, class: "Vertebra B" });
  });
});
