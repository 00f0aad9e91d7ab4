import { chainRules } from "./chain-rules.ts";
import type { Candidates } from "./disc-candidates.ts";
import type { Point } from "../points.ts";

/** Direction of the column from cranial to caudal, and distance between discs [cells]. */
export type Axis = { readonly direction: Point; readonly spacing: number };

/**
 * Pairs of candidates of which the second is caudal of the first, ordered by the second: those of candidate `to` are
 * `firstOf[to]` to `firstOf[to + 1]`.
 */
type Pairs = {
  readonly start: Int32Array;
  readonly distance: Float64Array;
  readonly sideways: Float64Array;
  readonly firstOf: Int32Array;
};

/**
 * Plausible steps between candidates, over one or two vertebrae in caudal direction, ordered like `Pairs`. `back` is
 * the offset to the start in `Chains`.
 */
type Steps = { readonly back: Int32Array; readonly score: Float64Array; readonly firstOf: Int32Array };

/**
 * Best chain ending at each candidate as each vertebra, [labels, candidates]: its score, and the index of the previous
 * link in the same arrays, -1 for none.
 */
type Chains = { readonly score: Float64Array; readonly from: Int32Array };

/** Best chain over all tried spacings: per disc, cranial to caudal, its index in a table [labels, candidates]. */
export function bestChain(candidates: Candidates, axis: Axis, labels: number): readonly number[] {
  const pairs = caudalPairs(candidates.places, axis);
  // The buffers are reused for every spacing.
  const steps = roomForSteps(pairs);
  const room = labels * candidates.places.length;
  const chains = { score: new Float64Array(room), from: new Int32Array(room) };
  let best: { score: number; links: readonly number[] } = { score: -Infinity, links: [] };
  for (const logFactor of chainRules.spacingTrials) {
    takeSteps(steps, pairs, axis.spacing * Math.exp(logFactor));
    const end = growChains(chains, candidates, steps);
    const score = (chains.score[end] as number) - 0.5 * (logFactor / chainRules.spacingSigma) ** 2;
    if (score > best.score) best = { score, links: traceBack(chains, end) };
  }
  return best.links;
}

/** Pairs within reach of a step of two vertebrae at one of the tried spacings. */
function caudalPairs(places: readonly Point[], { direction, spacing }: Axis): Pairs {
  const count = places.length;
  const longest = 1 + chainRules.lengthSigma * Math.sqrt(-2 * chainRules.leastStepScore);
  const farthest = 2 * spacing * Math.exp(Math.max(...chainRules.spacingTrials)) * longest;
  const most = count * count;
  const pairs = {
    start: new Int32Array(most),
    distance: new Float64Array(most),
    sideways: new Float64Array(most),
    firstOf: new Int32Array(count + 1),
  };
  let pair = 0;
  places.forEach((to, index) => {
    places.forEach((start, startIndex) => {
      const dx = to.x - start.x;
      const dy = to.y - start.y;
      // Math.hypot is many times slower.
      const distance = Math.sqrt(dx * dx + dy * dy);
      if (dx * direction.x + dy * direction.y <= 0 || distance > farthest) return;
      pairs.start[pair] = startIndex;
      pairs.distance[pair] = distance;
      pairs.sideways[pair] = dy * direction.x - dx * direction.y;
      pair += 1;
    });
    pairs.firstOf[index + 1] = pair;
  });
  return pairs;
}

function roomForSteps({ firstOf }: Pairs): Steps {
  const most = 2 * (firstOf.at(-1) as number);
  return { back: new Int32Array(most), score: new Float64Array(most), firstOf: new Int32Array(firstOf.length) };
}

function takeSteps(steps: Steps, { start, distance, sideways, firstOf }: Pairs, spacing: number): void {
  const count = firstOf.length - 1;
  let step = 0;
  for (let to = 0; to < count; to++) {
    for (let pair = firstOf[to] as number; pair < (firstOf[to + 1] as number); pair++) {
      for (let gap = 1; gap <= 2; gap++) {
        const length = ((distance[pair] as number) / (gap * spacing) - 1) / chainRules.lengthSigma;
        const aside = (sideways[pair] as number) / (gap * spacing) / chainRules.sidewaysSigma;
        const score = -0.5 * (length ** 2 + aside ** 2) - (gap - 1) * chainRules.skipPenalty;
        if (score <= chainRules.leastStepScore) continue;
        steps.back[step] = gap * count + to - (start[pair] as number);
        steps.score[step] = score;
        step += 1;
      }
    }
    steps.firstOf[to + 1] = step;
  }
}

/**
 * Fills `chains` with the best sequences of increasing labels, and returns the index of the end of the best one. A step
 * may skip one label where a disc is hidden.
 */
function growChains({ score, from }: Chains, { asDisc, asVertebra }: Candidates, steps: Steps): number {
  const count = asDisc.length;
  let end = 0;
  for (let at = 0; at < score.length; at++) {
    const to = at % count;
    let best = 0;
    let before = -1;
    for (let step = steps.firstOf[to] as number; step < (steps.firstOf[to + 1] as number); step++) {
      const start = at - (steps.back[step] as number);
      if (start < 0) continue;
      const total = (score[start] as number) + (steps.score[step] as number);
      if (total <= best) continue;
      best = total;
      before = start;
    }
    from[at] = before;
    score[at] = best + (asDisc[to] as number) + (asVertebra[at] as number);
    if ((score[at] as number) > (score[end] as number)) end = at;
  }
  return end;
}

function traceBack({ from }: Chains, end: number): number[] {
  const links: number[] = [];
  for (let at = end; at >= 0; at = from[at] as number) links.push(at);
  return links.reverse();
}
