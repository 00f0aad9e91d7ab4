import { areClosePoses, meanPose, type ThoraxPose } from "../views/thorax-pose.ts";
import type { ThoraxSighting } from "./landmark-decoding.ts";

/** After so many the pose no longer depends on the way a film was put in. */
const corrections = 2;

/** Where the discs say less than this the vertebrae may have another size, which the networks then see more clearly. */
const doubtfulEvidence = 30;
const otherSizes = [0.78, 1.28] as const;

/** One network's look at a film in the frame of a pose. */
type Look = (pose: ThoraxPose) => Promise<ThoraxSighting>;

/** A pose that was corrected, and how much the last look said for a column there. */
export type SettledPose = { readonly pose: ThoraxPose; readonly columnEvidence: number };

/**
 * Corrects a pose by what is seen close.
 *
 * @param found  by the locator; null where it saw no column, which stays
 */
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

/** Poses as they were settled from one way round of the film. */
export type SettledPoses = readonly (SettledPose | null)[];

/** Where no look says more than this there is no column: on films that were found it is 30 and more. */
const lostEvidence = 25;

/**
 * Settles the poses of a film as it lies; where no column is found, of the film turned by quarters as well, and goes on
 * with the way round that says most. The locator knows films that hang a little askew, and few that lie on their side.
 * Where no way round shows a column either, parts of the film are searched for one.
 *
 * @param settleTurned  settles the poses of the film turned by so many quarters
 * @param search        looks closer
 * @returns             those that show a column, or all where none does
 */
export async function settleEitherWay(
  settleTurned: (quarters: number) => Promise<SettledPoses>,
  search: () => Promise<SettledPose | null>,
): Promise<readonly (ThoraxPose | null)[]> {
  let best = await settleTurned(0);
  for (let quarters = 1; quarters < 4 && mostEvidence(best) < lostEvidence; quarters++) {
    const turned = await settleTurned(quarters);
    if (mostEvidence(turned) > mostEvidence(best)) best = turned;
  }
  if (mostEvidence(best) < lostEvidence) {
    const closer = [await search()];
    if (mostEvidence(closer) > mostEvidence(best)) best = closer;
  }
  const shown = best.filter((settled) => settled !== null && settled.columnEvidence >= lostEvidence);
  return (shown.length > 0 ? shown : best).map((settled) => settled && settled.pose);
}

function mostEvidence(poses: SettledPoses): number {
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
 * Poses to read around: their mean where they lie close to each other, so that it hardly matters how a film was put in;
 * otherwise as they are, so that the readings differ and say so.
 */
export function agreedPoses(settled: readonly (ThoraxPose | null)[]): readonly (ThoraxPose | null)[] {
  const found = settled.filter((pose) => pose !== null);
  const [first] = found;
  return first && found.every((pose) => areClosePoses(first, pose)) ? [meanPose(found)] : settled;
}
