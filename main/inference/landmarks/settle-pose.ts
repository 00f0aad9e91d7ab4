import { isSamePose, meanPose, type ThoraxPose } from "../views/thorax-pose.ts";
import type { ThoraxSighting } from "./landmark-decoding.ts";

/** Number of corrections after which the pose no longer depends on the orientation of the film. */
const corrections = 2;

/** Evidence for discs below which other sizes are tried. */
const doubtfulEvidence = 30;
const otherSizes = [0.78, 1.28] as const;

type Look = (pose: ThoraxPose) => Promise<ThoraxSighting>;

export type SettledPose = { readonly pose: ThoraxPose; readonly columnEvidence: number };

/** Corrects the locator's pose on close-ups; null without a column. */
export async function settlePose(found: ThoraxPose | null, look: Look): Promise<SettledPose | null> {
  if (!found) return null;
  const { pose, seen } = await clearestSize(found, look);
  let settled = { pose: seen.pose ?? pose, columnEvidence: seen.columnEvidence };
  for (let count = 1; count < corrections; count++) {
    const again = await look(settled.pose);
    settled = { pose: again.pose ?? settled.pose, columnEvidence: again.columnEvidence };
  }
  return settled;
}

export type SettledPoses = readonly (SettledPose | null)[];

/** Evidence below which there is no column; films with a column reach 30 and more. */
const minEvidence = 25;

/**
 * Corrects the poses of a film. Without a column, also tries the film rotated by quarter turns and continues with the
 * orientation of the highest evidence: the locator handles slightly rotated films, but few on their side. If no
 * orientation shows a column, parts of the film are searched. Returns the poses that show a column, or all without one.
 */
export async function settlePoseWithRotations(
  settleTurned: (quarters: number) => Promise<SettledPoses>,
  search: () => Promise<SettledPose | null>,
): Promise<readonly (ThoraxPose | null)[]> {
  let best = await settleTurned(0);
  for (let quarters = 1; quarters < 4 && strongestEvidence(best) < minEvidence; quarters++) {
    const turned = await settleTurned(quarters);
    if (strongestEvidence(turned) > strongestEvidence(best)) best = turned;
  }
  if (strongestEvidence(best) < minEvidence) {
    const closer = [await search()];
    if (strongestEvidence(closer) > strongestEvidence(best)) best = closer;
  }
  const shown = best.filter((settled) => settled !== null && settled.columnEvidence >= minEvidence);
  return (shown.length > 0 ? shown : best).map((settled) => settled && settled.pose);
}

function strongestEvidence(poses: SettledPoses): number {
  return Math.max(0, ...poses.map((settled) => settled?.columnEvidence ?? 0));
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
 * Poses around which the film is read: their mean if they are close, so that the orientation of the file hardly
 * matters; otherwise both, so that the readings differ.
 */
export function agreedPoses(settled: readonly (ThoraxPose | null)[]): readonly (ThoraxPose | null)[] {
  const found = settled.filter((pose) => pose !== null);
  const [first] = found;
  return first && found.every((pose) => isSamePose(first, pose)) ? [meanPose(found)] : settled;
}
