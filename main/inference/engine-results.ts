import { reviewReasonsOfDirect, reviewReasonsOfPhotograph, tierOfSharpness, tierOfSpread, type ConfidenceTier } from "../../core/cardiac/confidence.ts";
import type { Point } from "../../core/cardiac/points.ts";
import type { MeasuredRadiograph, Provenance, RejectedImage, UnrectifiedImage } from "../../core/cardiac/radiograph-measurement.ts";
import { resultCodeOf } from "../../core/cardiac/result-codes.ts";
import type { AgreedGeometry } from "./combine-votes.ts";
import type { GateVerdict } from "./gate-decoding.ts";
import type { NetworkManifest } from "./pack-manifest.ts";

/** The processed film that was measured. */
export type MeasuredFrame = { readonly sha256: string; readonly widthPx: number; readonly heightPx: number };

/** Whether to trust an image, once for every outcome: without a gate nothing is known of it, and the confidence is 0. */
function common(frame: MeasuredFrame, verdict: GateVerdict | null, manifest: NetworkManifest, programVersion: string) {
  const provenance: Provenance = {
    imageSha256: frame.sha256,
    packName: manifest.name,
    packVersion: manifest.version,
    modelVersion: manifest.modelVersion,
    programVersion,
    isClinicallyValidated: manifest.clinicallyValidated,
  };
  return { widthPx: frame.widthPx, heightPx: frame.heightPx, classifierConfidence: verdict?.confidence ?? 0, provenance };
}

/** The gate says that this is no lateral thorax. */
export function rejectedImage(frame: MeasuredFrame, verdict: GateVerdict, manifest: NetworkManifest, programVersion: string): RejectedImage {
  return { kind: "rejected", resultCode: 6, ...common(frame, verdict, manifest, programVersion) };
}

/** A photograph of a screen in which no film was found. */
export function unrectifiedImage(frame: MeasuredFrame, verdict: GateVerdict | null, manifest: NetworkManifest, programVersion: string): UnrectifiedImage {
  return { kind: "unrectified", resultCode: 7, ...common(frame, verdict, manifest, programVersion) };
}

/** A direct film, read by the ensemble; its tier rests on the spread, and is `review` where the members' scores disagree. */
export function directMeasurement(
  frame: MeasuredFrame,
  geometry: AgreedGeometry,
  verdict: GateVerdict | null,
  manifest: NetworkManifest,
  programVersion: string,
): MeasuredRadiograph {
  const reviewReasons = reviewReasonsOfDirect(geometry);
  const tier = reviewReasons.length > 0 ? "review" : tierOfSpread(geometry.spread, geometry.ruler, geometry.score);
  return measured({ ...common(frame, verdict, manifest, programVersion), popDetected: false, corners: null, spread: geometry.spread, reviewReasons }, geometry, tier);
}

/** A film out of a photograph, read by one network; its tier rests on geometry and sharpness, and it has no spread. */
export function popMeasurement(
  frame: MeasuredFrame,
  corners: readonly Point[],
  geometry: AgreedGeometry,
  sharpnessHigh: number,
  verdict: GateVerdict | null,
  manifest: NetworkManifest,
  programVersion: string,
): MeasuredRadiograph {
  const tier = tierOfSharpness(geometry.sharpness, sharpnessHigh, geometry.ruler, geometry.score);
  const reviewReasons = reviewReasonsOfPhotograph(geometry.ruler, geometry.score);
  return measured({ ...common(frame, verdict, manifest, programVersion), popDetected: true, corners, spread: null, reviewReasons }, geometry, tier);
}

type Source = ReturnType<typeof common> & Pick<MeasuredRadiograph, "popDetected" | "corners" | "spread" | "reviewReasons">;

function measured(source: Source, { landmarks, ruler, edges, score, sharpness, votes }: AgreedGeometry, tier: ConfidenceTier): MeasuredRadiograph {
  const resultCode = resultCodeOf(score.vhs, score.vlas, tier) as MeasuredRadiograph["resultCode"];
  return { kind: "measured", resultCode, ...source, landmarks, ruler, edges, score, tier, sharpness, votes };
}
