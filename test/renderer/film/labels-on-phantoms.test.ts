import { expect, test } from "vitest";
import type { HeartLandmarkName } from "../../../core/cardiac/landmarks.ts";
import type { Point } from "../../../core/cardiac/points.ts";
import { scoreOfDraft, type Draft } from "../../../renderer/film/draft/draft.ts";
import { labelsOnStage, type PlacedLabel } from "../../../renderer/film/label-placement.ts";
import { labelsOf, marksOf } from "../../../renderer/film/marks.ts";
import { fitted, frameToStage, zoomedAt, type Size, type View } from "../../../renderer/film/view.ts";
import { films, type FilmTruth } from "../../fixtures/truth.ts";

const point = ([x, y]: readonly [number, number]): Point => ({ x, y });
const stages: readonly Size[] = [
  { widthPx: 560, heightPx: 620 },
  { widthPx: 778, heightPx: 836 },
  { widthPx: 1320, heightPx: 1000 },
];
const zooms = [1, 1.8, 3] as const;

function draftOfPhantom({ landmarks, edges }: FilmTruth): Draft {
  const { heart_top, heart_bottom, heart_right, heart_left, VLAS } = landmarks;
  const heart = {
    heart_top: point(heart_top),
    heart_bottom: point(heart_bottom),
    heart_right: point(heart_right),
    heart_left: point(heart_left),
    VLAS: point(VLAS),
  };
  return { heart, edges: edges.slice(edges.findIndex(([name]) => name === "T4")).map(([, at]) => point(at)) };
}

/** Points inside the ellipse that has both axes as diameters, independent of the label placement's geometry. */
function outline(heart: Readonly<Record<HeartLandmarkName, Point | null>>): Point[] {
  const {
    heart_top: top,
    heart_bottom: bottom,
    heart_right: right,
    heart_left: left,
  } = heart as Record<HeartLandmarkName, Point>;
  const centre = { x: (top.x + bottom.x + right.x + left.x) / 4, y: (top.y + bottom.y + right.y + left.y) / 4 };
  return Array.from({ length: 10 }, (_, ring) => (ring + 1) / 10).flatMap((share) =>
    Array.from({ length: 72 }, (_, step) => {
      const [along, across] = [
        (share * Math.cos((step * Math.PI) / 36)) / 2,
        (share * Math.sin((step * Math.PI) / 36)) / 2,
      ];
      return {
        x: centre.x + (bottom.x - top.x) * along + (left.x - right.x) * across,
        y: centre.y + (bottom.y - top.y) * along + (left.y - right.y) * across,
      };
    }),
  );
}

const isIn = (box: PlacedLabel, { x, y }: Point) =>
  x > box.x && x < box.x + box.widthPx && y > box.y && y < box.y + box.heightPx;

test.each(films.map((phantom) => [phantom.file, phantom] as const))(
  "keeps the heart of %s free of labels, however the film is rotated, mirrored, zoomed or shown",
  (_file, phantom) => {
    const draft = draftOfPhantom(phantom);
    const scored = scoreOfDraft(draft)!;
    const film = { widthPx: phantom.width, heightPx: phantom.height };
    const covering: string[] = [];
    const left: string[] = [];
    for (const stage of stages) {
      for (const quarterTurns of [0, 1, 2, 3] as const) {
        for (const isFlipped of [false, true]) {
          const upright: View = { zoom: 1, panXPx: 0, panYPx: 0, quarterTurns, isFlipped };
          for (const zoom of zooms) {
            const view = zoomedAt(
              fitted(upright, film, stage),
              zoom,
              { x: stage.widthPx / 2, y: stage.heightPx / 2 },
              stage,
            );
            const marks = marksOf(draft, scored.ruler.edges, film, frameToStage(view, film, film, stage));
            const heart = outline(marks.heart);
            const labels = labelsOf(marks, scored.score, (value) => value.toFixed(2));
            const placed = labelsOnStage(labels, marks.silhouette, stage);
            for (const box of placed)
              if (heart.some((inside) => isIn(box, inside)))
                covering.push(`${box.text} at ${stage.widthPx}, turn ${quarterTurns}, ${isFlipped}, x ${zoom}`);
            // Every score has room on the whole film; leaving labels out would keep the heart clear too.
            const scores = labels.filter(({ id }) => !id.startsWith("edge"));
            if (zoom === 1)
              left.push(
                ...scores
                  .filter(({ id }) => !placed.some((box) => box.id === id))
                  .map(({ text }) => `${text} at ${stage.widthPx}, turn ${quarterTurns}, ${isFlipped}`),
              );
          }
        }
      }
    }
    expect({ covering, left }).toEqual({ covering: [], left: [] });
  },
);
