import { AppError } from "../../../core/app-error.ts";
import { roundScore } from "../../../core/cardiac/heart-score.ts";
import { landmarkNames } from "../../../core/cardiac/landmarks.ts";
import type {
  MeasuredRadiograph,
  RadiographMeasurement,
  RejectedImage,
} from "../../../core/cardiac/radiograph-measurement.ts";
import { isBillable, resultDescriptions } from "../../../core/cardiac/result-codes.ts";
import { axesInPicture } from "../../../core/cardiac/drawing/within-picture.ts";
import type { Billing } from "../../../core/contract/v3/billing.ts";
import type { History, RejectionResult, SingleResult } from "../../../core/contract/v3/predict.ts";
import type { LandmarkItem } from "../../../core/contract/v3/values.ts";
import type { DecodedImage } from "../../imaging/decode-image.ts";
import type { Caller } from "../../store/people/api-keys.ts";
import { getHistory } from "../../store/calls/measurements.ts";
import type { ServiceContext } from "../measuring/service-context.ts";
import { isStoreUnavailable } from "../../../core/system-fault.ts";
import { detailsOf } from "./details.ts";
import { recordAnsweredCall } from "./delivery.ts";
import { renderMeasurement } from "../measuring/render.ts";
import type { QueuePlaces } from "../measuring/work-queue.ts";

export type ServiceCall = { readonly caller: Caller; readonly callId: string; readonly signal: AbortSignal };

export type SinglePrediction = {
  readonly image: Uint8Array;
  readonly uuid: string | null;
  readonly isRendered: boolean;
  readonly isDetailed: boolean;
};

export type MeasuredImage = { readonly image: DecodedImage; readonly measurement: RadiographMeasurement };

export type PredictionValues = Pick<
  SingleResult,
  "vhs" | "vlas" | "prediction" | "result_code" | "result_description" | "model_confidence"
>;

/**
 * Charges for the image if it has a valid VHS.
 *
 * @throws AppError MODELS_NOT_LOADED, POP_NOT_LOADED for a photograph, BUSY, ABORTED, and errors of `decodeImage`
 */
export async function predictSingle(
  context: ServiceContext,
  call: ServiceCall,
  request: SinglePrediction,
): Promise<SingleResult | RejectionResult> {
  assertCanMeasure(context);
  using places = context.queue.reserve(1);
  const { measurement, rendered, details } = await places.run(
    request.image,
    (decode) => measureAndRender(context, call, request, decode),
    call.signal,
  );
  const history = (request.uuid === null ? null : await historyOf(context, call, request.uuid)) ?? unknownHistory;
  throwIfAborted(call.signal);
  const billing = await chargeSingle(context, call, request.uuid, measurement);
  return measurement.kind === "rejected"
    ? { ...rejectionOf(measurement, billing), ...(details && { details }) }
    : { ...singleResultOf(measurement, rendered, history, billing), ...(details && { details }) };
}

/** @throws AppError MODELS_NOT_LOADED */
export function assertCanMeasure({ engine }: ServiceContext): void {
  if (!engine.health().canMeasure) throw new AppError("MODELS_NOT_LOADED");
}

async function measureImage(
  context: ServiceContext,
  decode: () => Promise<DecodedImage>,
  signal: AbortSignal,
): Promise<MeasuredImage> {
  const cameAtMs = performance.now();
  const decoded = await decode();
  return { image: decoded, measurement: await context.engine.measure(decoded, { signal, cameAtMs }) };
}

export function measureQueued(
  context: ServiceContext,
  places: QueuePlaces,
  image: Uint8Array,
  signal: AbortSignal,
): Promise<MeasuredImage> {
  return places.run(image, (decode) => measureImage(context, decode, signal), signal);
}

/** Prevents charging a disconnected caller. @throws AppError ABORTED or the signal's abort reason */
export function throwIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw signal.reason instanceof AppError ? signal.reason : new AppError("ABORTED");
}

const unknownHistory = { historic_vhs: null, historic_vlas: null };

/** Returns null while the store is unavailable, which must not fail the call. */
export async function historyOf({ db }: ServiceContext, { caller }: ServiceCall, uuid: string) {
  try {
    const { historicVhs, historicVlas } = await getHistory(db, { accountId: caller.accountId, uuid });
    return { historic_vhs: [...historicVhs], historic_vlas: [...historicVlas] };
  } catch (error) {
    if (isStoreUnavailable(error)) return null;
    throw error;
  }
}

export function predictionValues(measurement: RadiographMeasurement): PredictionValues {
  const text = { result_code: measurement.resultCode, result_description: resultDescriptions[measurement.resultCode] };
  if (measurement.kind !== "measured" || !isBillable(measurement.resultCode)) {
    return { vhs: null, vlas: null, prediction: [], ...text, model_confidence: "review" };
  }
  const { score, tier } = measurement;
  return {
    vhs: roundScore(score.vhs),
    vlas: roundScore(score.vlas),
    prediction: landmarkItems(measurement),
    ...text,
    model_confidence: tier,
  };
}

async function measureAndRender(
  context: ServiceContext,
  { signal }: ServiceCall,
  { isRendered, isDetailed }: SinglePrediction,
  decode: () => Promise<DecodedImage>,
) {
  const measured = await measureImage(context, decode, signal);
  const { measurement } = measured;
  const hasPicture = isRendered && measurement.kind === "measured" && isBillable(measurement.resultCode);
  const rendered = hasPicture ? await renderMeasurement(measured.image, measurement) : null;
  return { measurement, rendered, details: isDetailed ? await detailsOf(measured) : null };
}

function chargeSingle(
  context: ServiceContext,
  { caller, callId }: ServiceCall,
  uuid: string | null,
  measurement: RadiographMeasurement,
): Promise<Billing> {
  return recordAnsweredCall(context, {
    ...caller,
    callId,
    answerUntil: null,
    service: "cardiac",
    callType: "single",
    uuid,
    at: context.now(),
    isBillable: isBillable(measurement.resultCode),
    measurements: [measurement],
  });
}

function singleResultOf(
  measurement: Exclude<RadiographMeasurement, RejectedImage>,
  rendered: Buffer | null,
  history: { historic_vhs: History; historic_vlas: History },
  billing: Billing,
): SingleResult {
  const values = predictionValues(measurement);
  const isMeasured = measurement.kind === "measured";
  return {
    ...values,
    spread: isMeasured ? measurement.spread : null,
    // A photograph whose film was not found is not corrected (section 2.2).
    pop_detected: isMeasured && measurement.popDetected,
    model_version: measurement.provenance.modelVersion,
    ...(rendered && { rendered_image: rendered.toString("base64") }),
    ...history,
    billing,
  };
}

function rejectionOf(measurement: RejectedImage, billing: Billing): RejectionResult {
  if (billing.billable) throw new Error("a rejected image was charged");
  return {
    classifier_confidence: roundProbability(measurement.classifierConfidence),
    model_version: measurement.provenance.modelVersion,
    rejected: true,
    rejection_reason: "not_a_valid_radiograph",
    result_code: 6,
    result_description: resultDescriptions[6],
    vhs: null,
    vlas: null,
    billing,
  };
}

export function roundProbability(value: number): number {
  return Math.round(value * 1e4) / 1e4;
}

function landmarkItems({ landmarks, widthPx, heightPx }: MeasuredRadiograph): LandmarkItem[] {
  const inside = axesInPicture(landmarks, { widthPx, heightPx });
  return landmarkNames.map((name) => ({
    x: normalised(inside[name].x, widthPx),
    y: normalised(inside[name].y, heightPx),
    class: name,
  }));
}

/** Fraction of the side [0–1], clamped. */
function normalised(px: number, sidePx: number): number {
  return Math.min(1, Math.max(0, Math.round((px / sidePx) * 1e6) / 1e6));
}
