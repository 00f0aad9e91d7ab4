import { judgeDirect, judgePhotograph, type Judgement } from "../../core/cardiac/confidence.ts";
import type { Point } from "../../core/cardiac/points.ts";
import type {
  MeasuredRadiograph,
  Provenance,
  RejectedImage,
  UnrectifiedImage,
} from "../../core/cardiac/radiograph-measurement.ts";
import { resultCodeOf } from "../../core/cardiac/result-codes.ts";
import type { AgreedGeometry } from "./landmarks/combine-votes.ts";
import type { GateVerdict } from "./screens/gate-decoding.ts";
import type { NetworkManifest } from "./packs/pack-manifest.ts";

/** The processed film that was measured. */
export type MeasuredFrame = { readonly sha256: string; readonly widthPx: number; readonly heightPx: number };

/** Whether to trust an image, once for every outcome. */
function common(frame: MeasuredFrame, verdict: GateVerdict, manifest: NetworkManifest, programVersion: string) {
  const provenance: Provenance = {
    imageSha256: frame.sha256,
    packName: manifest.name,
    packVersion: manifest.version,
    modelVersion: manifest.modelVersion,
    programVersion,
    isClinicallyValidated: manifest.clinicallyValidated,
  };
  return {
    widthPx: frame.widthPx,
    heightPx: frame.heightPx,
    classifierConfidence: verdict.confidence,
    provenance,
  };
}

/** The gate says that this is no lateral thorax. */
export function rejectedImage(
  frame: MeasuredFrame,
  verdict: GateVerdict,
  manifest: NetworkManifest,
  programVersion: string,
): RejectedImage {
  return { kind: "rejected", resultCode: 6, ...common(frame, verdict, manifest, programVersion) };
}

/** A photograph of a screen in which no film was found. */
export function unrectifiedImage(
  frame: MeasuredFrame,
  verdict: GateVerdict,
  manifest: NetworkManifest,
  programVersion: string,
): UnrectifiedImage {
  return { kind: "unrectified", resultCode: 7, ...common(frame, verdict, manifest, programVersion) };
}

/** A direct film, read by the ensemble; its tier rests on the spread alone. */
export function directMeasurement(
  frame: MeasuredFrame,
  geometry: AgreedGeometry,
  verdict: GateVerdict,
  manifest: NetworkManifest,
  programVersion: string,
): MeasuredRadiograph {
  const source = { ...common(frame, verdict, manifest, programVersion), popDetected: false, corners: null };
  return measured(source, geometry, judgeDirect(geometry, frame));
}

/** A film out of a photograph, read by one network; its tier rests on geometry and sharpness, and it has no spread. */
export function popMeasurement(
  frame: MeasuredFrame,
  corners: readonly Point[],
  geometry: AgreedGeometry,
  sharpnessHigh: number,
  verdict: GateVerdict,
  manifest: NetworkManifest,
  programVersion: string,
): MeasuredRadiograph {
  const source = { ...common(frame, verdict, manifest, programVersion), popDetected: true, corners };
  return measured(source, geometry, { ...judgePhotograph(geometry, sharpnessHigh), spread: null });
}

type Source = ReturnType<typeof common> & Pick<MeasuredRadiograph, "popDetected" | "corners">;

function measured(
  source: Source,
  { landmarks, ruler, edges, score, sharpness, votes }: AgreedGeometry,
  judgement: Judgement & Pick<MeasuredRadiograph, "spread">,
): MeasuredRadiograph {
  const resultCode = resultCodeOf(score.vhs, score.vlas, judgement.tier) as MeasuredRadiograph["resultCode"];
  return { kind: "measured", resultCode, ...source, landmarks, ruler, edges, score, ...judgement, sharpness, votes };
}
