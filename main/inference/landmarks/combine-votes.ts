import { disagreementOf, type Disagreement } from "../../../core/cardiac/disagreement.ts";
import { axesOfOutline } from "../../../core/cardiac/silhouette/axes-of-outline.ts";
import { agreedHeart, landmarkScatter } from "../../../core/cardiac/ensemble.ts";
import { ownAngleDeg, scoreHeart, withVertebrae } from "../../../core/cardiac/heart-score.ts";
import { landmarkNames, type HeartLandmarks, type Landmarks } from "../../../core/cardiac/landmarks.ts";
import { distancePx, type Point } from "../../../core/cardiac/points.ts";
import { valueOrNull } from "../../../core/cardiac/measures/read-measures.ts";
import type { MeasuredRadiograph } from "../../../core/cardiac/radiograph-measurement.ts";
import { squareAxes } from "../../../core/cardiac/silhouette/square-axes.ts";
import { agreedRuler, recountedRuler } from "../../../core/cardiac/ruler/agreed-ruler.ts";
import { buildRuler, type VertebralRuler } from "../../../core/cardiac/ruler/vertebral-ruler.ts";
import type { LandmarkReading, Vote } from "./landmark-decoding.ts";

type AgreedFields =
  "landmarks" | "ruler" | "edges" | "otherCount" | "uneven" | "outline" | "score" | "sharpness" | "votes";

export type AgreedGeometry = Pick<MeasuredRadiograph, AgreedFields> & {
  readonly disagreement: Disagreement;
  /** Mean scatter of the votes for a landmark, as a fraction of the film's longest side. */
  readonly landmarkScatter: number;
  /** VHS of each member from the thorax alone [v]; null without a score. */
  readonly firstVhs: readonly (number | null)[];
  readonly edgeBlurV: number | undefined;
};

/**
 * Combines the members' readings into one measurement. Heart points are the mean of the votes; the axes are those of
 * the outline if it is sound, otherwise the voted ones with the short axis made perpendicular. Vertebral edges are not
 * averaged one by one: a member that counts from another vertebra would shift every edge by half a vertebra. Instead,
 * one chain through all members' maps locates T4; from there the pack's column network counts, or without one all
 * chains vote on the lengths. Without a chain, the edges are the expected positions, and the ruler is the fallback one.
 */
export function combineVotes(reading: LandmarkReading, longestSidePx: number): AgreedGeometry {
  const voted = agreedHeart(reading.votes.map(({ heart }) => heart));
  const ofOutline = reading.outline && axesOfOutline(reading.outline, voted);
  const heart = ofOutline ?? squareAxes(voted);
  const { edges, otherCount } = reading.counts.length > 0 ? reading : agreedCount(reading);
  const ruler = rulerOf(edges, longAxisPx(heart), reading.isColumnFound);
  const votes = reading.votes.map((vote) => ({ ...vote.heart, ...vertebraeOf(vote, ruler) }));
  const score = scoreHeart(heart, ruler, ownAngleDeg(voted));
  const firstVhs = reading.members.map(vhsOf);
  return {
    landmarks: withVertebrae(heart, ruler),
    ruler,
    edges,
    otherCount,
    uneven: reading.uneven.filter(({ index }) => index < ruler.edges.length - 1),
    outline: ofOutline && reading.outline,
    score,
    votes,
    firstVhs,
    disagreement: disagreementOf(
      score.vhs,
      reading.votes.map((vote) => scoreHeart(vote.heart, ruler).vhs),
      firstVhs,
    ),
    landmarkScatter: landmarkScatter(
      landmarkNames.map((name) => votes.map((vote) => vote[name])),
      longestSidePx,
    ),
    sharpness: reading.sharpness,
    edgeBlurV: reading.edgeBlurV,
  };
}

/** Edges from T4, and from the alternative T4 along the same ruler, if all chains vote on the lengths. */
function agreedCount({ edges, members, otherCount }: LandmarkReading): Pick<LandmarkReading, "edges" | "otherCount"> {
  const agreed = agreedRuler(
    edges,
    members.map((member) => member.edges),
  );
  return { edges: agreed, otherCount: otherCount && { ...otherCount, edges: recountedRuler(agreed, otherCount) } };
}

/** Builds the ruler. Edges that coincide are only shown, and the film has no score. */
function rulerOf(edges: readonly Point[], longPx: number, isDetected = true): VertebralRuler {
  return valueOrNull(() => buildRuler(edges, longPx, isDetected)) ?? { edges, kind: "fallback" };
}

/**
 * Ends of the ruler by one vote: its own edges of the vertebrae at which the reported ruler begins and ends, or the end
 * of its own ruler if it has no such edge. Votes on different vertebrae would scatter by a vertebra.
 */
function vertebraeOf({ edges, heart }: Vote, reported: VertebralRuler): Pick<Landmarks, "Vertebra A" | "Vertebra B"> {
  const own = rulerOf(edges, longAxisPx(heart)).edges;
  const end = reported.kind === "detected" ? edges[reported.edges.length - 1] : undefined;
  return { "Vertebra A": own[0] as Point, "Vertebra B": end ?? (own.at(-1) as Point) };
}

function vhsOf({ heart, edges, outline }: Vote): number | null {
  const own = (outline && axesOfOutline(outline, heart)) ?? squareAxes(heart);
  return scoreHeart(own, rulerOf(edges, longAxisPx(own))).vhs;
}

function longAxisPx(heart: HeartLandmarks): number {
  return distancePx(heart.heart_top, heart.heart_bottom);
}
