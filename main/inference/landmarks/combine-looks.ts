import { axisLandmarkNames, middleOfAxes, type HeartLandmarks } from "../../../core/cardiac/landmarks.ts";
import { interpolate, type Point } from "../../../core/cardiac/points.ts";
import { blendedOutline } from "../../../core/cardiac/silhouette/blended-outline.ts";
import type { HeartVote } from "./landmark-decoding.ts";
import type { HeartCloseUp } from "./measure-heart-close-up.ts";

/**
 * Combines votes from the thorax and from the close-up, with weight `share`. Both contribute to the ends of the axes;
 * the left atrium is small and comes from the close-up alone. Members are reused in turn if there are more votes from
 * the close-up.
 */
export function combineLooks(
  members: readonly HeartVote[],
  outline: readonly Point[] | null,
  close: HeartCloseUp,
  share: number,
): { readonly votes: readonly HeartVote[]; readonly outline: readonly Point[] | null } {
  const votes = close.votes.map((vote, number) => {
    const member = members[number % members.length] as HeartVote;
    const heart = betweenHearts(member.heart, vote.heart, share);
    return { heart, outline: blendedOutline(member.outline, vote.outline, middleOfAxes([heart]), share) };
  });
  const centre = middleOfAxes(votes.map(({ heart }) => heart));
  return { votes, outline: blendedOutline(outline, close.outline, centre, share) };
}

function betweenHearts(thorax: HeartLandmarks, close: HeartLandmarks, share: number): HeartLandmarks {
  const ends = axisLandmarkNames.map((name) => [name, interpolate(thorax[name], close[name], share)] as const);
  return { ...close, ...(Object.fromEntries(ends) as Omit<HeartLandmarks, "VLAS">) };
}
