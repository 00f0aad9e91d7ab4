import { axisLandmarkNames, middleOfAxes, type HeartLandmarks } from "../../../core/cardiac/landmarks.ts";
import { interpolate, type Point } from "../../../core/cardiac/points.ts";
import { blendedOutline } from "../../../core/cardiac/silhouette/blended-outline.ts";
import type { HeartVote } from "./landmark-decoding.ts";
import type { HeartCloseUp } from "./look-at-heart.ts";

/**
 * What is voted of a heart that was seen in the thorax and then close. A network of either kind has an equal say in the
 * axes; the left atrium is small, and who sees it close says where it ends.
 *
 * @param members  what each saw of the thorax, n >= 1; they are gone through again where there are more close votes
 * @param outline  on which they agree
 */
export function bothLooks(
  members: readonly HeartVote[],
  outline: readonly Point[] | null,
  close: HeartCloseUp,
): { readonly votes: readonly HeartVote[]; readonly outline: readonly Point[] | null } {
  const votes = close.votes.map((vote, number) => {
    const member = members[number % members.length] as HeartVote;
    const heart = betweenHearts(vote.heart, member.heart);
    return { heart, outline: blendedOutline(vote.outline, member.outline, middleOfAxes([heart])) };
  });
  return { votes, outline: blendedOutline(close.outline, outline, middleOfAxes(votes.map(({ heart }) => heart))) };
}

function betweenHearts(close: HeartLandmarks, other: HeartLandmarks): HeartLandmarks {
  const ends = axisLandmarkNames.map((name) => [name, interpolate(close[name], other[name], 0.5)] as const);
  return { ...close, ...(Object.fromEntries(ends) as Omit<HeartLandmarks, "VLAS">) };
}
