import { AppError } from "../../../core/app-error.ts";
import { hasLandmarks, summariseBatch, type BatchSummary } from "../../../core/cardiac/best-photo.ts";
import { roundScore } from "../../../core/cardiac/heart-score.ts";
import type { RadiographMeasurement } from "../../../core/cardiac/radiograph-measurement.ts";
import type { BatchResult, Details, PerPhoto, StreamEventData } from "../../../core/contract/v3/predict.ts";
import type { ServiceContext } from "../measuring/service-context.ts";
import { detailsOf } from "./details.ts";
import { recordAnsweredCall } from "./delivery.ts";
import {
  assertCanMeasure,
  historyOf,
  measureQueued,
  predictionValues,
  roundProbability,
  throwIfAborted,
  type ServiceCall,
} from "./predict.ts";
import type { QueuePlaces } from "../measuring/work-queue.ts";

/** An item that is not valid Base64 is represented by its error. */
export type BatchPrediction = {
  readonly images: readonly (Uint8Array | AppError)[];
  readonly uuid: string | null;
  readonly isDetailed: boolean;
};

type MeasuredPhoto = { readonly measurement: RadiographMeasurement; readonly details: Details | null };

export type PhotoOutcome = MeasuredPhoto | AppError;

/** Called once per photo, in request order. */
export type PhotoListener = (index: number, outcome: PhotoOutcome) => void;

/**
 * Charges one session if any photo has a valid VHS.
 *
 * @throws AppError MODELS_NOT_LOADED, POP_NOT_LOADED for a batch of photographs only, BUSY, ABORTED
 */
export async function predictBatch(
  context: ServiceContext,
  call: ServiceCall,
  request: BatchPrediction,
): Promise<BatchResult> {
  const places = reserveBatch(context, request);
  const outcomes = await measurePhotos(context, call, places, request, () => undefined);
  const [first] = outcomes;
  if (first instanceof AppError && outcomes.every((outcome) => isWithoutPop(outcome))) throw first;
  const summary = await settleBatch(context, call, request, outcomes);
  return {
    vhs: summary.best_vhs,
    vlas: summary.best_vlas,
    ...summary,
    processing_started: true,
    per_photo: outcomes.map(perPhotoOf),
  };
}

/** Reserves slots for all images or none; called before a stream begins. @throws AppError MODELS_NOT_LOADED, BUSY */
export function reserveBatch(context: ServiceContext, { images }: BatchPrediction): QueuePlaces {
  assertCanMeasure(context);
  return context.queue.reserve(images.length);
}

/**
 * Measures images concurrently as the queue allows. Unreadable images, and photographs without the PoP networks, do not
 * affect the others; any other failure stops the batch.
 *
 * @param places  one per image; released when this settles
 */
export async function measurePhotos(
  context: ServiceContext,
  { signal }: ServiceCall,
  places: QueuePlaces,
  { images, isDetailed }: BatchPrediction,
  onPhoto: PhotoListener,
): Promise<readonly PhotoOutcome[]> {
  const rest = new AbortController();
  const either = AbortSignal.any([signal, rest.signal]);
  const pending = images.map((image) =>
    image instanceof AppError ? Promise.resolve(image) : photoOutcome(context, places, image, isDetailed, either),
  );
  // Prevents unhandled rejections of photos that fail before they are awaited.
  const settled = Promise.allSettled(pending);
  const outcomes: PhotoOutcome[] = [];
  try {
    for (const [index, photo] of pending.entries()) {
      const outcome = await photo;
      outcomes.push(outcome);
      onPhoto(index, outcome);
    }
    return outcomes;
  } catch (error) {
    rest.abort();
    throw error;
  } finally {
    await settled;
    places.release();
  }
}

async function photoOutcome(
  context: ServiceContext,
  places: QueuePlaces,
  image: Uint8Array,
  isDetailed: boolean,
  signal: AbortSignal,
): Promise<PhotoOutcome> {
  try {
    const measured = await measureQueued(context, places, image, signal);
    return { measurement: measured.measurement, details: isDetailed ? await detailsOf(measured) : null };
  } catch (error) {
    if (error instanceof AppError && (isUnreadable(error) || isWithoutPop(error))) return error;
    throw error;
  }
}

function isUnreadable({ status, code }: AppError): boolean {
  return status === 400 || code === "IMAGE_TOO_COSTLY";
}

function isWithoutPop(outcome: PhotoOutcome): boolean {
  return outcome instanceof AppError && outcome.code === "POP_NOT_LOADED";
}

/** Called right before the response is written. */
export async function settleBatch(
  context: ServiceContext,
  call: ServiceCall,
  { uuid }: BatchPrediction,
  outcomes: readonly PhotoOutcome[],
): Promise<StreamEventData["summary"]> {
  const measurements = outcomes.map((outcome) => (outcome instanceof AppError ? null : outcome.measurement));
  const summary = summariseBatch(measurements);
  const history = (uuid === null ? null : await historyOf(context, call, uuid)) ?? {
    historic_vhs: [],
    historic_vlas: [],
  };
  throwIfAborted(call.signal);
  const billing = await recordAnsweredCall(context, {
    ...call.caller,
    callId: call.callId,
    answerUntil: null,
    service: "cardiac",
    callType: "session",
    uuid,
    at: context.now(),
    isBillable: summary.bestIndex !== null,
    measurements,
  });
  return {
    ...summaryValues(summary, measurements),
    ...history,
    model_version: versionOf(measurements[summary.bestIndex ?? 0], context),
    billing,
  };
}

function versionOf(measurement: RadiographMeasurement | null | undefined, { engine }: ServiceContext): string {
  return measurement?.provenance.modelVersion ?? engine.health().modelVersion;
}

function summaryValues(summary: BatchSummary, measurements: readonly (RadiographMeasurement | null)[]) {
  return {
    best_vhs: roundScore(summary.bestVhs),
    best_vlas: roundScore(summary.bestVlas),
    median_vhs: roundScore(summary.medianVhs),
    median_vlas: roundScore(summary.medianVlas),
    vhs_std: summary.vhsStd,
    vlas_std: summary.vlasStd,
    vhs_confidence: summary.vhsTier,
    vlas_confidence: summary.vlasTier,
    best_photo_index: summary.bestIndex,
    n_photos_processed: measurements.length,
    n_photos_with_landmarks: measurements.filter(hasLandmarks).length,
  };
}

export function photoValues(outcome: PhotoOutcome) {
  const photo = outcome instanceof AppError ? null : outcome;
  const frame = photo && hasLandmarks(photo.measurement) ? photo.measurement : null;
  const values = frame && predictionValues(frame);
  return {
    vhs: values?.vhs ?? null,
    vlas: values?.vlas ?? null,
    spread: frame?.spread ?? null,
    model_confidence: values?.model_confidence ?? "review",
    landmarks_detected: frame !== null,
    axes_perpendicular: frame?.score.areAxesPerpendicular ?? false,
    ...(photo?.details && { details: photo.details }),
  } as const;
}

function perPhotoOf(outcome: PhotoOutcome): PerPhoto {
  const values = photoValues(outcome);
  if (outcome instanceof AppError)
    return { ...values, rejected: true, rejection_reason: outcome.message, classifier_confidence: 1 };
  const { measurement } = outcome;
  if (measurement.kind === "rejected") {
    return {
      ...values,
      rejected: true,
      rejection_reason: "not_a_valid_radiograph",
      classifier_confidence: roundProbability(measurement.classifierConfidence),
    };
  }
  return hasLandmarks(measurement) ? { ...values, pop_detected: measurement.popDetected } : values;
}
