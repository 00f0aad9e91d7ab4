import { type Corners, distancePx } from "../../../core/cardiac/points.ts";
import type { GreyPixels } from "../../imaging/decode-image.ts";
import { insideBezel } from "./bezel.ts";
import {
  cornersOf,
  lineAt,
  type Offsets,
  polished,
  type Profiles,
  profilesAcross,
  scoreOf,
  type Side,
  sidesOf,
} from "./side-lines.ts";

/** How far from a side its border is searched, and how far it is expected, as parts of the picture's diagonal. */
const nearby = { reach: 0.02, prior: 0.012 } as const;
/**
 * The same where a dark bezel separates the film from what looks like its border. In 76 simulated photographs with a
 * bezel of 6 %, the corners alone moved VHS by more than 0.2 v in 18 without this search, in 9 with it.
 */
const beyondBezel = { reach: 0.05, prior: 0.03 } as const;
/** How much more visible than a border nearby one beyond the bezel is. */
const leastGain = 1.2;
/** Highest grey level of a bezel, and the share of places next to the film that are as dark. */
const darkBezel = { level: 80, share: 0.9 } as const;
/** Mean capped step under which a side has no visible border and stays where it was. */
const leastScore = 3;

/**
 * Moves roughly found corners onto the film's border: each side goes to the straight line near it with the most
 * grey-level steps, and neighbouring lines meet in the corners. A side without a visible border stays. Sides on the
 * outer edge of a dark bezel then go to its inner one.
 *
 * @param picture  in whose pixels `corners` are given
 * @returns        the corners unchanged where the lines would carry them further than three times the longer reach
 */
export function refineCorners(picture: GreyPixels, corners: Corners): Corners {
  const diagonalPx = Math.hypot(picture.widthPx, picture.heightPx);
  const refined = cornersOf(sidesOf(corners).map((side) => lineAt(side, borderOffsets(picture, side, diagonalPx))));
  const isNear = refined?.every(
    (corner, index) => distancePx(corner, corners[index] ?? corner) < 3 * beyondBezel.reach * diagonalPx,
  );
  return insideBezel(picture, refined && isNear ? refined : corners);
}

/** The border near a side. */
function borderOffsets(picture: GreyPixels, side: Side, diagonalPx: number): Offsets {
  const find = ({ reach, prior }: typeof nearby | typeof beyondBezel) => {
    const profiles = profilesAcross(picture, side, Math.max(6, Math.floor(reach * diagonalPx)));
    const { offsets, score } = strongestLine(profiles, prior * diagonalPx);
    return { profiles, score, offsets: score >= leastScore ? polished(profiles, offsets) : offsets };
  };
  const near = find(nearby);
  const far = find(beyondBezel);
  const isFar = far.score >= leastScore && far.score >= leastGain * near.score && isBezelOutside(far);
  return isFar ? far.offsets : near.score >= leastScore ? near.offsets : [0, 0];
}

/** Whether the ground just outside a line is a dark bezel. */
function isBezelOutside({ profiles, offsets }: { readonly profiles: Profiles; readonly offsets: Offsets }): boolean {
  const { levels, along, reachPx } = profiles;
  const dark = levels.filter((row, sample) => {
    const at = Math.round(offsets[0] + (offsets[1] - offsets[0]) * (along[sample] ?? 0)) + reachPx + 2;
    const outside = row.subarray(Math.max(0, at - 7), Math.max(1, at - 3));
    return outside.reduce((sum, level) => sum + level, 0) < darkBezel.level * outside.length;
  });
  return dark.length >= darkBezel.share * levels.length;
}

/** The line with the largest mean capped step; of equals the nearer one. */
function strongestLine(profiles: Profiles, spreadPx: number): { offsets: Offsets; score: number } {
  const { reachPx } = profiles;
  let best = { offsets: [0, 0] as Offsets, score: 0, weighted: -1 };
  for (let first = -reachPx; first <= reachPx; first += 2) {
    for (let last = -reachPx; last <= reachPx; last += 2) {
      const score = scoreOf(profiles, [first, last]);
      const weighted = score * Math.exp(-(first * first + last * last) / (4 * spreadPx * spreadPx));
      if (weighted > best.weighted) best = { offsets: [first, last], score, weighted };
    }
  }
  return best;
}
