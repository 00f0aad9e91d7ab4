import type { ManifestOf } from "./packs/pack-manifest.ts";
import { inputSidePx } from "./packs/pack-tensors.ts";
import { searchThorax } from "./landmarks/find-thorax.ts";
import { judgeFilm } from "./screens/colour-networks.ts";
import type { GateVerdict } from "./screens/gate-decoding.ts";
import type { LandmarkManifest, NetworkCall } from "./threads/network-calls.ts";
import type { FilmLevels } from "./views/film-levels.ts";
import { thoraxFrame } from "./views/landmark-frames.ts";
import type { ThoraxPose } from "./views/thorax-pose.ts";

/** Minimum evidence of a column that identifies a thorax by itself. */
const clearEvidence = 32;
/** Widths of the square crops that the gate judges [vertebrae]. */
const shownVertebrae = [16, 20] as const;
/** Minimum probability of a direct film in each crop. */
const minDirectProbability = 0.75;

export type PassedThorax = { readonly pose: ThoraxPose; readonly verdict: GateVerdict };

/**
 * Runs the gate on the thorax alone, for a picture that it rejects as a whole: on a film of a whole animal, the thorax
 * is too small for the gate. null without a thorax that the gate accepts.
 *
 * @throws AppError ABORTED
 * @see docs/decisions/0020-two-looks-at-the-thorax-two-at-the-heart-one.md
 */
export async function judgeThorax(
  call: NetworkCall,
  gate: ManifestOf<"gate">,
  landmarks: LandmarkManifest,
  levels: FilmLevels,
): Promise<PassedThorax | null> {
  const found = await searchThorax(call, landmarks, levels);
  if (!found || found.columnEvidence < clearEvidence) return null;
  const { pose } = found;
  const { crop } = landmarks.decoding;
  const side = inputSidePx(gate);
  const verdicts = await Promise.all(
    shownVertebrae.map((vertebrae) =>
      judgeFilm(call, gate, levels, thoraxFrame(pose, { ...crop, vertebrae }, side, 0)),
    ),
  );
  if (verdicts.some(({ probabilities }) => probabilities.direct < minDirectProbability)) return null;
  return { pose, verdict: { ...(verdicts[0] as GateVerdict), isOfThoraxAlone: true } };
}
