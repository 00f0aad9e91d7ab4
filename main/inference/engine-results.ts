import { repeatErrorsOf } from "../../core/cardiac/agreement/repeatability.ts";
import { judgeDirect, judgePhotograph, type FilmInPicture, type Judgement } from "../../core/cardiac/confidence.ts";
import { readMeasures } from "../../core/cardiac/measures/read-measures.ts";
import { rladOfOutline } from "../../core/cardiac/silhouette/rlad-of-outline.ts";
import type { Corners } from "../../core/cardiac/points.ts";
import type { Provenance } from "../../core/cardiac/verdict/provenance.ts";
import type { MeasuredRadiograph, RejectedImage, UnrectifiedImage } from "../../core/cardiac/radiograph-measurement.ts";
import { intervalsOf } from "../../core/cardiac/score-intervals.ts";
import { resultCodeOf } from "../../core/cardiac/result-codes.ts";
import type { AgreedGeometry } from "./landmarks/combine-votes.ts";
import type { FilmFraming } from "./screens/film-framing.ts";
import type { GateVerdict } from "./screens/gate-decoding.ts";
import type { NetworkManifest } from "./packs/pack-manifest.ts";
import type { LandmarkManifest } from "./threads/network-calls.ts";

/** The processed film that was measured, and the width of its file. */
export type MeasuredFrame = {
  readonly sha256: string;
  readonly widthPx: number;
  readonly heightPx: number;
  readonly fullWidthPx: number;
  readonly isShapeDoubtful?: boolean;
};

function common(frame: MeasuredFrame, verdict: GateVerdict, manifest: NetworkManifest, programVersion: string) {
  const provenance: Provenance = {
    imageSha256: frame.sha256,
    packName: manifest.name,
    packVersion: manifest.version,
    modelVersion: manifest.modelVersion,
    programVersion,
    isClinicallyValidated: manifest.clinicallyValidated,
    ...(manifest.release && { release: manifest.release }),
  };
  return {
    widthPx: frame.widthPx,
    heightPx: frame.heightPx,
    classifierConfidence: verdict.confidence,
    provenance,
  };
}

export function rejectedImage(
  frame: MeasuredFrame,
  verdict: GateVerdict,
  manifest: NetworkManifest,
  programVersion: string,
): RejectedImage {
  const { takenFor } = verdict;
  return {
    kind: "rejected",
    resultCode: 6,
    ...common(frame, verdict, manifest, programVersion),
    ...(takenFor && { takenFor }),
  };
}

export function unrectifiedImage(
  frame: MeasuredFrame,
  verdict: GateVerdict,
  manifest: NetworkManifest,
  programVersion: string,
): UnrectifiedImage {
  return { kind: "unrectified", resultCode: 7, ...common(frame, verdict, manifest, programVersion) };
}

/** @param film  part of the frame that is the film */
export function directMeasurement(
  frame: MeasuredFrame,
  geometry: AgreedGeometry,
  verdict: GateVerdict,
  manifest: LandmarkManifest,
  programVersion: string,
  film: FilmInPicture = frame,
): MeasuredRadiograph {
  const reading = {
    ...geometry,
    isThoraxAlone: verdict.isOfThoraxAlone === true,
    isShapeDoubtful: frame.isShapeDoubtful ?? false,
  };
  const judgement = judgeDirect(reading, film, manifest.calibration?.disagreement);
  const rlad = rladOf(geometry);
  // Width of the film in the file, which may show a small film on a large screen.
  const widthPx = (frame.fullWidthPx * film.widthPx) / frame.widthPx;
  const kind = { kind: "direct", widthPx, spread: judgement.spread } as const;
  const source = {
    ...common(frame, verdict, manifest, programVersion),
    ...{ popDetected: false, corners: null },
    intervals: intervalsOf(manifest.calibration, kind, { ...geometry.score, rlad: rlad?.value }),
    repeatErrors: repeatErrorsOf(manifest.repeatability, { ...kind, tier: judgement.tier }),
  };
  return { ...measured(source, geometry, judgement), rlad };
}

function rladOf({ landmarks, outline, ruler }: AgreedGeometry): NonNullable<MeasuredRadiograph["rlad"]> | null {
  const point = outline && rladOfOutline(landmarks, outline);
  const value = point && readMeasures({ ...landmarks, RLAD: point }, ruler).rlad;
  return point && typeof value === "number" ? { point, value } : null;
}

/** A photograph has one vote and so no spread; its tier follows from geometry and sharpness. */
export function popMeasurement(
  frame: MeasuredFrame,
  corners: Corners,
  framing: FilmFraming,
  geometry: AgreedGeometry,
  sharpnessHigh: number,
  verdict: GateVerdict,
  manifest: LandmarkManifest,
  programVersion: string,
): MeasuredRadiograph {
  const film = { kind: "photograph", widthPx: frame.fullWidthPx, spread: null } as const;
  const judgement = judgePhotograph(geometry, sharpnessHigh, framing === "sound");
  const source = {
    ...common(frame, verdict, manifest, programVersion),
    ...{ popDetected: true, corners },
    intervals: intervalsOf(manifest.calibration, film, geometry.score),
    repeatErrors: repeatErrorsOf(manifest.repeatability, { ...film, tier: judgement.tier }),
  };
  return measured(source, geometry, { ...judgement, spread: null });
}

type Source = ReturnType<typeof common> &
  Pick<MeasuredRadiograph, "popDetected" | "corners" | "intervals" | "repeatErrors">;

function measured(
  source: Source,
  { landmarkScatter: _scatter, firstVhs: _firstVhs, edgeBlurV: _blur, ...agreed }: AgreedGeometry,
  judgement: Judgement & Pick<MeasuredRadiograph, "spread">,
): MeasuredRadiograph {
  const resultCode = resultCodeOf(agreed.score.vhs, agreed.score.vlas, judgement.tier);
  return { kind: "measured", resultCode, ...source, ...agreed, ...judgement };
}
