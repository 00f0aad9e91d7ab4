import { describe, expect, it } from "vitest";
import { AppError } from "../../../../core/app-error.ts";
import type { RadiographMeasurement } from "../../../../core/cardiac/radiograph-measurement.ts";
import { streamEvents } from "../../../../core/contract/v3/predict.ts";
import { listLedgerEvents } from "../../../../main/store/ledger/ledger-reports.ts";
import { measured, measuredAt, rejected, unmeasured } from "../../store/sample-store.ts";
import { plainImage } from "../../server/service/sample-images.ts";
import { popMeasured, unrectified } from "../../../fixtures/pop-frames.ts";
import { useScriptedService } from "../../server/service/scripted-service.ts";

const service = useScriptedService();

/** Gives each image a unique width, by which the script identifies it. */
async function batchOf(outcomes: readonly (RadiographMeasurement | "no image" | "not base64")[]): Promise<string[]> {
  service.script.measure = async (film) => {
    const outcome = outcomes[film.widthPx - 64];
    if (typeof outcome !== "object") throw new Error("an invalid image was measured");
    return outcome;
  };
  return await Promise.all(
    outcomes.map(async (outcome, index) =>
      outcome === "no image"
        ? Buffer.from("text").toString("base64")
        : outcome === "not base64"
          ? "***"
          : await plainImage(64 + index),
    ),
  );
}

const charges = async () =>
  (await listLedgerEvents(service.context.db, {})).map(({ callType, amountCents }) => ({ callType, amountCents }));
const none = {
  vhs: null,
  vlas: null,
  spread: null,
  model_confidence: "review",
  landmarks_detected: false,
  axes_perpendicular: false,
};

describe("a batch", () => {
  it("returns the complete result of section 2.4", async () => {
    const images = await batchOf([
      { ...measuredAt(10, 2), tier: "good", resultCode: 2 },
      "no image",
      rejected,
      measuredAt(11, 2.5),
      unrectified,
      "not base64",
      unmeasured,
      popMeasured,
    ]);
    const { body } = await service.post("/v3/predict", { images, uuid: "patient-1" });
    const seen = { spread: 0.003217, landmarks_detected: true, axes_perpendicular: true, pop_detected: false };
    expect(body).toEqual({
      vhs: 11,
      vlas: 2.5,
      best_photo_index: 3,
      best_vhs: 11,
      best_vlas: 2.5,
      median_vhs: 10.12,
      median_vlas: 2.35,
      vhs_std: 0.545,
      vlas_std: 0.256,
      vhs_confidence: "good",
      vlas_confidence: "good",
      n_photos_processed: 8,
      n_photos_with_landmarks: 3,
      processing_started: true,
      historic_vhs: [],
      historic_vlas: [],
      model_version: "3.4.0-ensemble",
      billing: { billable: true, reason: "valid_vhs", call_type: "session", monthly_usage: 1, tier: "paygo", rate: 4 },
      per_photo: [
        { ...seen, vhs: 10, vlas: 2, model_confidence: "good" },
        { ...none, rejected: true, rejection_reason: "Image must be JPEG or PNG", classifier_confidence: 1 },
        { ...none, rejected: true, rejection_reason: "not_a_valid_radiograph", classifier_confidence: 0.97 },
        { ...seen, vhs: 11, vlas: 2.5, model_confidence: "optimal" },
        none,
        { ...none, rejected: true, rejection_reason: "Invalid base64 image: images[5]", classifier_confidence: 1 },
        none,
        { ...seen, vhs: 10.12, vlas: 2.35, spread: null, model_confidence: "optimal", pop_detected: true },
      ],
    });
    expect(await charges()).toEqual([{ callType: "session", amountCents: 400 }]);
  });
  it("fails unbilled after an internal error and releases its queue slots", async () => {
    const images = await batchOf([measured, measured, measured]);
    service.script.measure = async () => {
      throw new AppError("MODELS_NOT_LOADED");
    };
    expect((await service.post("/v3/predict", { images })).status).toBe(503);
    expect([await charges(), service.context.queue.size]).toEqual([[], 0]);
  });
  it("measures images concurrently", async () => {
    let side = 0;
    let most = 0;
    let release: (() => void) | null = null;
    const images = await batchOf(Array<RadiographMeasurement>(6).fill(measured));
    service.script.measure = async () => {
      most = Math.max(most, ++side);
      // Every other call waits for the next one.
      if (release) release();
      else await new Promise<void>((resolve) => (release = resolve));
      release = null;
      side -= 1;
      return measured;
    };
    await service.post("/v3/predict", { images });
    expect(most).toBe(2);
  });
});

describe("a streamed batch", () => {
  const read = (text: string) =>
    text
      .split("\n\n")
      .filter(Boolean)
      .map((block) => {
        const [event, data] = block.split("\n");
        const name = event?.slice("event: ".length) as keyof typeof streamEvents;
        return [name, streamEvents[name].parse(JSON.parse(data?.slice("data: ".length) ?? ""))] as const;
      });

  it("ends unbilled after an internal error, with an error event instead of a summary", async () => {
    const images = await batchOf([measured, measured]);
    service.script.measure = async () => {
      throw new TypeError("secret");
    };
    const events = read((await service.post("/v3/predict/stream", { images })).text);
    expect(events).toEqual([
      ["processing_started", expect.anything()],
      ["error", { index: 0, uuid: "", error: "Internal server error" }],
    ]);
    expect(await charges()).toEqual([]);
  });
});
