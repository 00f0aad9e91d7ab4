import { nearestAlongPx, placeAlong, type ColumnLine } from "../../../core/cardiac/ruler/column-line.ts";
import { distancePx, type Point } from "../../../core/cardiac/points.ts";
import type { FilmLevel, FilmLevels } from "./film-levels.ts";
import { isWithinReach } from "./sample-frame.ts";
import { sampleLine, whiteSample } from "./sample-view.ts";

/** Input of a column network: the straightened column, cranial on the left, the thorax below. */
export type StripRules = {
  readonly width: number;
  readonly height: number;
  /** Length of a usual vertebra of the column [px of the strip]. */
  readonly vertebraPx: number;
};

export type ColumnStrip = {
  readonly rules: StripRules;
  readonly line: ColumnLine;
  /** Distance of its first pixel along the line, and distance between pixels [film px]. */
  readonly firstPx: number;
  readonly stepPx: number;
  /** Whether the thorax is to the left in the caudal direction. */
  readonly isThoraxLeft: boolean;
};

/**
 * @param middle      point in the middle of the strip [film px]
 * @param vertebraPx  length of a usual vertebra [film px], > 0
 * @param thorax      any point ventral of the column [film px]
 */
export function stripAlong(
  line: ColumnLine,
  middle: Point,
  vertebraPx: number,
  thorax: Point,
  rules: StripRules,
): ColumnStrip {
  const stepPx = vertebraPx / rules.vertebraPx;
  const middlePx = nearestAlongPx(line, middle);
  const at = placeAlong(line, middlePx);
  const towards = directionAlong(line, middlePx, vertebraPx);
  const isThoraxLeft = towards.x * (thorax.y - at.y) - towards.y * (thorax.x - at.x) < 0;
  return { rules, line, firstPx: middlePx - stepPx * (rules.width / 2 - 0.5), stepPx, isThoraxLeft };
}

/** Direction of the line at a position, over about one vertebra [unit vector]. */
function directionAlong(line: ColumnLine, along: number, vertebraPx: number): Point {
  const [from, to] = [placeAlong(line, along - vertebraPx / 2), placeAlong(line, along + vertebraPx / 2)];
  const length = distancePx(from, to);
  return length > 0 ? { x: (to.x - from.x) / length, y: (to.y - from.y) / length } : { x: 1, y: 0 };
}

/**
 * Maximum width of a strip's pixel in pixels of the level that is sampled: a reduced strip has no aliasing, and an
 * enlarged one keeps all detail.
 */
const maxReduction = 1.25;

/** Samples a strip into Float32Array [1, 1, height, width], row-major, 0–1: bilinear, black outside the film. */
export function sampleStrip(levels: FilmLevels, strip: ColumnStrip, input: Float32Array): void {
  const { rules, line, firstPx, stepPx, isThoraxLeft } = strip;
  let halvings = 0;
  while (halvings < levels.length - 1 && stepPx > maxReduction * 2 ** halvings) halvings++;
  const film = levels[halvings] as FilmLevel;
  const size = 2 ** halvings;
  const vertebraPx = stepPx * rules.vertebraPx;
  const sums = new Int32Array(rules.height);
  for (let column = 0; column < rules.width; column++) {
    const along = firstPx + column * stepPx;
    const middle = placeAlong(line, along);
    const towards = directionAlong(line, along, vertebraPx);
    const step = (isThoraxLeft ? -stepPx : stepPx) / size;
    const down = { x: -towards.y * step, y: towards.x * step };
    const toTop = (rules.height - 1) / 2;
    const top = {
      x: (middle.x + 0.5) / size - 0.5 - toTop * down.x,
      y: (middle.y + 0.5) / size - 0.5 - toTop * down.y,
    };
    if (isWithinReach(top, down, rules.height)) sampleLine(film, top, down, sums);
    else sums.fill(0);
    for (let row = 0; row < rules.height; row++)
      input[row * rules.width + column] = (sums[row] as number) / whiteSample;
  }
}
