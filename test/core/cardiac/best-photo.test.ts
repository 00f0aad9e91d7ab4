import { describe, expect, it } from "vitest";
import { summariseBatch } from "../../../core/cardiac/best-photo.ts";
import { sampleDeviation } from "../../../core/cardiac/disagreement.ts";
import type { ConfidenceTier } from "../../../core/cardiac/confidence.ts";
import type { MeasuredRadiograph, RadiographMeasurement } from "../../../core/cardiac/radiograph-measurement.ts";
import { measured, rejected } from "../../main/store/sample-store.ts";

type Change = {
  vhs?: number | null;
  vlas?: number | null;
  tier?: ConfidenceTier;
  perpendicular?: boolean;
  pop?: boolean;
  spread?: number | null;
  sharpness?: number;
};

function frame({
  vhs = 10,
  vlas = 2,
  tier = "good",
  perpendicular = true,
  pop = false,
  spread = 0.006,
  sharpness = 0.5,
}: Change = {}): MeasuredRadiograph {
  const score = { ...measured.score, vhs, vlas, areAxesPerpendicular: perpendicular };
  return { ...measured, popDetected: pop, tier, spread, sharpness, score };
}

describe("the best photo", () => {
  it.each<[string, (RadiographMeasurement | null)[], number | null]>([
    ["has the better tier", [frame({ tier: "review", spread: 0 }), frame({ tier: "optimal" }), frame()], 1],
    ["has perpendicular axes at equal tier", [frame({ perpendicular: false, spread: 0 }), frame()], 1],
    ["is direct rather than photographed", [frame({ pop: true, spread: null, sharpness: 0.99 }), frame()], 1],
    ["has the lower spread", [frame(), frame({ spread: 0.0055 })], 1],
    [
      "has the higher sharpness among photographs",
      [frame({ pop: true, spread: null, sharpness: 0.4 }), frame({ pop: true, spread: null, sharpness: 0.6 })],
      1,
    ],
    ["has the lower index if equal", [rejected, frame(), frame()], 1],
    ["is missing without a valid VHS", [rejected, null, frame({ vhs: null })], null],
    ["is missing without frames", [], null],
  ])("%s", (_rule, frames, index) => expect(summariseBatch(frames).bestIndex).toBe(index));
});

describe("the summary of a batch", () => {
  it("contains medians, sample deviations and the best photo's values", () => {
    const frames = [
      frame({ vhs: 10, vlas: 2.1 }),
      null,
      frame({ vhs: 10.2, vlas: 2.3, tier: "optimal" }),
      rejected,
      frame({ vhs: 10.1, vlas: null }),
    ];
    expect(summariseBatch(frames)).toEqual({
      bestIndex: 2,
      bestVhs: 10.2,
      bestVlas: 2.3,
      medianVhs: 10.1,
      medianVlas: 2.2,
      vhsStd: 0.1,
      vlasStd: 0.141,
      vhsTier: "optimal",
      vlasTier: "optimal",
    });
  });

  it("maps the deviations of VHS and VLAS to tiers", () => {
    const ofVhs = (apart: number) => summariseBatch([frame({ tier: "optimal" }), frame({ vhs: 10 + apart })]).vhsTier;
    const ofVlas = (apart: number) => summariseBatch([frame({ tier: "optimal" }), frame({ vlas: 2 + apart })]).vlasTier;
    const tiers = ["optimal", "good", "good", "review"];
    expect([0.42, 0.43, 0.84, 0.85].map(ofVhs)).toEqual(tiers);
    expect([0.28, 0.29, 0.56, 0.57].map(ofVlas)).toEqual(tiers);
  });

  it("derives tiers from deviations as printed, with 3 decimals", () => {
    const summaryOf = (deviation: number) =>
      summariseBatch([frame({ tier: "optimal" }), frame({ vhs: 10 + deviation * Math.SQRT2 })]);
    const printed = [0.3004, 0.3006, 0.6004, 0.6006].map(summaryOf);
    expect(printed.map(({ vhsStd, vhsTier }) => [vhsStd, vhsTier])).toEqual([
      [0.3, "optimal"],
      [0.301, "good"],
      [0.6, "good"],
      [0.601, "review"],
    ]);
  });

  it("contains only null and review without valid frames", () => {
    expect(summariseBatch([rejected, null])).toEqual({
      bestIndex: null,
      bestVhs: null,
      bestVlas: null,
      medianVhs: null,
      medianVlas: null,
      vhsStd: null,
      vlasStd: null,
      vhsTier: "review",
      vlasTier: "review",
    });
  });

  it("has VLAS tier review if the best photo has no VLAS", () => {
    expect(summariseBatch([frame({ vlas: null, tier: "optimal" })])).toMatchObject({
      vhsTier: "optimal",
      vlasTier: "review",
    });
  });
});

it("returns no deviation for fewer than two values", () => {
  expect([sampleDeviation([]), sampleDeviation([1]), sampleDeviation([1, 3])]).toEqual([null, null, Math.SQRT2]);
});
