import { areClosePoses, meanPose, type ThoraxPose } from "../views/thorax-pose.ts";
import type { ThoraxSighting } from "./landmark-decoding.ts";

/** After so many the pose no longer depends on the way a film was put in. */
const corrections = 2;

/** Where the discs say less than this the vertebrae may have another size, which the networks then see more clearly. */
const doubtfulEvidence = 30;
const otherSizes = [0.78, 1.28] as const;

/** One network's look at a film in the frame of a pose. */
type Look = (pose: ThoraxPose) => Promise<ThoraxSighting>;

/**
 * Corrects a pose by what is seen close.
 *
 * @param found  by the locator; null where it saw no column, which stays
 */
export async function settlePose(found: ThoraxPose | null, look: Look): Promise<ThoraxPose | null> {
  if (!found) return null;
  const { pose, seen } = await clearestSize(found, look);
  let corrected = seen.pose ?? pose;
  for (let count = 1; count < corrections; count++) corrected = (await look(corrected)).pose ?? corrected;
  return corrected;
}

async function clearestSize(found: ThoraxPose, look: Look): Promise<{ pose: ThoraxPose; seen: ThoraxSighting }> {
  let clearest = { pose: found, seen: await look(found) };
  if (clearest.seen.columnEvidence >= doubtfulEvidence) return clearest;
  for (const size of otherSizes) {
    const pose = { ...found, vertebraPx: found.vertebraPx * size };
    const seen = await look(pose);
    if (seen.columnEvidence > clearest.seen.columnEvidence) clearest = { pose, seen };
  }
  return clearest;
}

/**
 * Poses to read around: their mean where they lie close to each other, so that it hardly matters how a film was put in;
 * otherwise as they are, so that the readings differ and say so.
 */
export function agreedPoses(settled: readonly (ThoraxPose | null)[]): readonly (ThoraxPose | null)[] {
  const found = settled.filter((pose) => pose !== null);
  const [first] = found;
  return first && found.every((pose) => areClosePoses(first, pose)) ? [meanPose(found)] : settled;
}
