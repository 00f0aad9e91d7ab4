import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  takeCaptureFrame,
  isCaptureOver,
  type CaptureState,
} from "../../../../core/cardiac/capture/capture-session.ts";
import { combineFrames } from "../../../../core/cardiac/capture/combine-frames.ts";
import { reducedPicture } from "../../../../core/cardiac/capture/small-picture.ts";
import { createFilmMap, type CaptureFrame } from "../../../../core/cardiac/capture/agreeing-frames.ts";
import { scoreHeart } from "../../../../core/cardiac/heart-score.ts";
import type { HeartLandmarks } from "../../../../core/cardiac/landmarks.ts";
import type { Point } from "../../../../core/cardiac/points.ts";
import type { MeasuredRadiograph } from "../../../../core/cardiac/radiograph-measurement.ts";
import { squareAxes } from "../../../../core/cardiac/silhouette/square-axes.ts";
import { heartAt } from "../../../fixtures/heart-at.ts";
import { texturedFilm } from "../../../fixtures/textured-film.ts";
import { measured } from "../../../main/store/sample-store.ts";

const edges = Array.from({ length: 8 }, (_, index): Point => ({ x: 300 + 90 * index, y: 200 + index }));
const ruler = { kind: "detected", edges: edges.slice(0, 6) } as const;
const heart = heartAt([480, 300], [700, 620], [470, 560], [690, 410], [640, 330]);
const pictures = [1, 2].map((film) =>
  reducedPicture(texturedFilm(film, { widthPx: 96, heightPx: 80 }), { widthPx: 96, heightPx: 80 }),
);

function frameOf(
  change: Partial<MeasuredRadiograph> = {},
  film: 1 | 2 = 1,
  moved: Partial<HeartLandmarks> = {},
): CaptureFrame {
  const squared = squareAxes({ ...heart, ...moved });
  const measurement: MeasuredRadiograph = {
    ...{ ...measured, popDetected: true, spread: null, sharpness: 0.7, ruler, edges },
    landmarks: { ...squared, "Vertebra A": edges[0] as Point, "Vertebra B": edges[5] as Point },
    score: scoreHeart(squared, ruler),
    ...change,
  };
  return { measurement, picture: pictures[film - 1] as CaptureFrame["picture"], filmSha256: `film ${film}` };
}

const otherVhs = (difference: number): CaptureFrame => {
  const frame = frameOf();
  const { score } = frame.measurement;
  return frameOf({ score: { ...score, vhs: (score.vhs ?? NaN) + difference } });
};

const none: CaptureState<CaptureFrame> = { framesProcessed: 0, consecutiveFailures: 0, candidates: [] };
/** Frames by letter: g good, p poor, o of another film, h with a VHS 0.31 v higher. */
const letters: Record<string, CaptureFrame | null> = { g: frameOf(), p: null, o: frameOf({}, 2), h: otherVhs(0.31) };

const filmMap = () => createFilmMap(() => Promise.resolve());
const take = (state: CaptureState<CaptureFrame>, frame: CaptureFrame | null) =>
  takeCaptureFrame(state, frame, filmMap());

async function play(frames: string, start = none) {
  let state = start;
  const played = [];
  for (const letter of frames) {
    const frame = letters[letter];
    const progress = await take(state, frame ? { ...frame } : null);
    state = progress.state;
    played.push(progress);
  }
  return played;
}

describe("a capture session", () => {
  it.each([
    ["g", "continue"],
    ["gg", "continue"],
    ["ggg", "complete"],
    ["gppgppppg", "complete"],
    ["pppp", "continue"],
    ["ppppp", "max_consecutive_failures"],
    ["ppppgpppp", "continue"],
    ["ppppgppppp", "max_consecutive_failures"],
    ["ogogg", "complete"],
    ["ghghg", "complete"],
    ["gohp", "continue"],
    ["goog", "continue"],
  ])("reacts to frames %s with %s", async (frames, step) => expect((await play(frames)).at(-1)?.step).toBe(step));

  it.each([
    ["googg", [1, 1, 2, 2, 3]],
    ["oggog", [1, 1, 2, 2, 3]],
    ["hghgg", [1, 1, 2, 2, 3]],
    ["gpg", [1, 1, 2]],
  ])("counts frames of one film with similar VHS: %s", async (frames, counts) => {
    const played = await play(frames);
    expect(played.map(({ goodFrames }) => goodFrames)).toEqual(counts);
    expect(played.map(({ isGood }) => isGood)).toEqual(counts.map((count, index) => count > (counts[index - 1] ?? 0)));
  });

  it("accepts frames with a VHS up to 0.3 v from the median of the others", async () => {
    const last = async (difference: number) =>
      (await take({ ...none, candidates: [frameOf(), frameOf()] }, otherVhs(difference))).step;
    expect([await last(0.299), await last(0.301), await last(-0.301)]).toEqual(["complete", "continue", "continue"]);
  });

  it.each([{ packVersion: "2" }, { packName: "q" }])("does not combine frames of two packs: %o", async (other) => {
    const { provenance } = frameOf().measurement;
    const changed = () => frameOf({ provenance: { ...provenance, ...other } });
    const afterChange = { ...none, candidates: [frameOf(), frameOf()] };
    const first = await take(afterChange, changed());
    const second = await take(first.state, changed());
    const third = await take(second.state, changed());
    expect([first, second, third].map(({ step, goodFrames }) => [step, goodFrames])).toEqual([
      ["continue", 2],
      ["continue", 2],
      ["complete", 3],
    ]);
    expect(third.result?.measurement.provenance).toMatchObject(other);
  });

  it("completes or fails with its twentieth frame, before consecutive failures are checked", async () => {
    const nineteen = { framesProcessed: 19, consecutiveFailures: 4, candidates: [frameOf(), frameOf()] };
    expect([
      (await play("g", nineteen))[0]?.step,
      (await play("g", { ...nineteen, candidates: [frameOf()] }))[0]?.step,
      (await play("p", nineteen))[0]?.step,
    ]).toEqual(["complete", "max_frames_exceeded", "max_frames_exceeded"]);
  });

  it("registers each new film with the earlier ones only, and reuses registrations after a restart", async () => {
    let registered = 0;
    const mapOf = createFilmMap(async () => void (registered += 1));
    let state = none;
    const counts = [];
    for (let film = 1; film <= 6; film += 1) {
      const size = { widthPx: 96, heightPx: 80 };
      const picture = reducedPicture(texturedFilm(film, size), size);
      const frame = { ...frameOf(), picture, filmSha256: `film ${film}` };
      const reopened = { ...state, candidates: state.candidates.map((candidate) => ({ ...candidate })) };
      ({ state } = await takeCaptureFrame(reopened, frame, mapOf));
      counts.push(registered);
    }
    expect(counts).toEqual([0, 1, 3, 6, 10, 15]);
  });

  it("accepts frames for 300 seconds, inclusive", () => {
    expect([isCaptureOver(1000, 301_000), isCaptureOver(1000, 301_001)]).toEqual([false, true]);
  });
});

describe("the result of several frames", () => {
  const onePlace = () => Promise.resolve((point: Point) => point);
  const combined = async (...frames: CaptureFrame[]) => (await combineFrames(frames, onePlace)).measurement;
  const sharp = (sharpness: number, x: number, more: Partial<MeasuredRadiograph> = {}) =>
    frameOf({ sharpness, ...more }, 1, { VLAS: { x, y: 330 } });

  it("contains the median of every landmark, on the sharpest film", async () => {
    const frames = [sharp(0.5, 640), sharp(0.9, 650), sharp(0.6, 643)];
    const { measurement, drawnOn } = await combineFrames(frames, onePlace);
    expect([measurement.landmarks.VLAS.x, drawnOn === frames[1], measurement.votes.length]).toEqual([643, true, 3]);
  });

  it("has intervals of the sharpest film's width around its own scores", async () => {
    const intervals = { coverage: 0.8, vhs: { low: 8, high: 9 }, vlas: null };
    const { score, intervals: found } = await combined(sharp(0.9, 650, { intervals }), sharp(0.6, 643));
    const vhs = { low: score.vhs! - 0.5, high: score.vhs! + 0.5 };
    expect(found).toEqual({ coverage: 0.8, vhs, vlas: null });
    expect((await combined(sharp(0.9, 650), sharp(0.6, 643))).intervals).toBeNull();
  });

  it("is within the range of the frames' scores for any landmarks", async () => {
    const shift = fc.record({ x: fc.integer({ min: -14, max: 14 }), y: fc.integer({ min: -14, max: 14 }) });
    const frame = fc.tuple(shift, shift, shift, fc.integer({ min: 1, max: 9 })).map(([left, bottom, vlas, sharpness]) =>
      frameOf({ sharpness: sharpness / 10 }, 1, {
        heart_left: { x: 690 + left.x, y: 410 + left.y },
        heart_bottom: { x: 700 + bottom.x, y: 620 + bottom.y },
        VLAS: { x: 640 + vlas.x, y: 330 + vlas.y },
      }),
    );
    const shown = (value: number | null) => Math.round((value ?? NaN) * 100);
    await fc.assert(
      fc.asyncProperty(fc.tuple(frame, frame, frame), async (frames) => {
        const { score } = await combined(...frames);
        for (const name of ["vhs", "vlas"] as const) {
          const values = frames.map(({ measurement }) => shown(measurement.score[name]));
          expect(shown(score[name])).toBeGreaterThanOrEqual(Math.min(...values));
          expect(shown(score[name])).toBeLessThanOrEqual(Math.max(...values));
        }
      }),
    );
  });

  it.each([
    [["optimal", "optimal", "good"], "optimal", 1],
    [["good", "optimal", "good"], "good", 2],
    [["optimal", "good"], "good", 2],
  ] as const)("combines tiers %j to %s", async (tiers, tier, resultCode) => {
    const frames = tiers.map((of, index) => frameOf({ tier: of, sharpness: 0.5 + index / 10 }));
    expect(await combined(...frames)).toMatchObject({ tier, resultCode });
  });

  it("is marked for review with the reason if its geometry is invalid", async () => {
    const { measurement } = frameOf();
    const frame = frameOf({ score: { ...measurement.score, axesAngleDeg: 63 } });
    expect(await combined(frame)).toMatchObject({
      tier: "review",
      resultCode: 3,
      reviewReasons: [{ kind: "axes_angle", value: 63, limit: 15 }],
    });
  });

  it("reports vertebrae that most frames find uneven, on the film of the result", async () => {
    const uneven = (index: number, share: number, x = 0) => {
      const [from, to] = edges.slice(index, index + 2).map((edge) => ({ x: edge.x + x, y: edge.y }));
      return { index, from: from!, to: to!, share };
    };
    const { measurement } = await combineFrames(
      [
        frameOf({ sharpness: 0.9, uneven: [uneven(2, 0.8), uneven(6, 0.7)] }),
        frameOf({ uneven: [uneven(1, 1.3), uneven(2, 0.84, 3), uneven(6, 0.7)] }),
        frameOf({ uneven: [uneven(2, 0.82, 1)] }),
      ],
      () => Promise.resolve(({ x, y }) => ({ x: x + 10, y })),
    );
    // T10 is caudal of the ruler.
    expect(measurement.uneven).toEqual([uneven(2, 0.82, 11)]);
    expect((await combined(frameOf({ uneven: [uneven(2, 0.8)] }), frameOf())).uneven).toEqual([]);
  });

  it("keeps the alternative T4 of most frames, with the edges common to them", async () => {
    const count = (direction: "cranial" | "caudal", x: number, length = 7) =>
      ({
        otherCount: { direction, edges: edges.slice(0, length).map((edge) => ({ ...edge, x: edge.x + x })) },
      }) as const;
    const found = [count("cranial", 0), count("caudal", 5), count("cranial", 2, 6)].map((change) => frameOf(change));
    expect((await combined(...found)).otherCount).toEqual(count("cranial", 1, 6).otherCount);
    expect((await combined(...found.slice(0, 2), frameOf())).otherCount).toBeNull();
  });

  it("contains only edges found in every frame", async () => {
    expect((await combined(frameOf(), frameOf({ edges: edges.slice(0, 6) }))).edges).toHaveLength(6);
  });

  it("is the middle frame if the films cannot be registered", async () => {
    const frames = [otherVhs(0.2), otherVhs(0), otherVhs(0.1)];
    expect((await combineFrames(frames, () => Promise.resolve(null))).drawnOn).toBe(frames[2]);
  });
});
