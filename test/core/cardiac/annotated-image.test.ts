import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { toAnnotatedImage } from "../../../core/cardiac/annotated-image.ts";
import { scoreByHand } from "../../../core/cardiac/ruler/ruler-by-hand.ts";
import { vertebraName } from "../../../core/cardiac/ruler/vertebra-name.ts";
import { buildRuler, type VertebralRuler } from "../../../core/cardiac/ruler/vertebral-ruler.ts";

const at = (x: number, y: number) => ({ x, y });
const heart = {
  heart_top: at(40, 30),
  heart_bottom: at(60, 80),
  heart_right: at(30, 55),
  heart_left: at(70, 50),
  VLAS: at(62, 34),
};
const edges = [at(20, 10), at(30, 10), at(40, 11)];
const reading = {
  frame: { widthPx: 100, heightPx: 90 },
  heart,
  edges,
  ruler: { edges, kind: "detected" } as VertebralRuler,
  score: { vhs: 10.25 },
};
const picture = {
  file: "dog-1.png",
  widthPx: 400,
  heightPx: 360,
  species: "dog",
  note: "corrected, version 2",
} as const;

describe("annotated data", () => {
  it("contains points in pixels of the exported picture, with integer pixel centres", () => {
    expect(toAnnotatedImage(reading, picture)).toEqual({
      file: "dog-1.png",
      width: 400,
      height: 360,
      species: "dog",
      facing: "left",
      vhs: 10.25,
      group: "hi-res",
      source: "read in Corvet",
      licence: "the clinic's own; not for publication",
      note: "corrected, version 2",
      landmarks: {
        heart_top: [161.5, 121.5],
        heart_bottom: [241.5, 321.5],
        heart_right: [121.5, 221.5],
        heart_left: [281.5, 201.5],
        VLAS: [249.5, 137.5],
      },
      edges: [
        ["T4", [81.5, 41.5]],
        ["T5", [121.5, 41.5]],
        ["T6", [161.5, 45.5]],
      ],
    });
  });

  it("contains only T4 and T10 of a ruler in six equal parts", () => {
    const chain = [at(10, 10), at(18, 10), at(19, 10), at(40, 10), at(50, 10), at(52, 10), at(58, 10), at(90, 10)];
    const rejected = { ...reading, edges: chain, ruler: buildRuler(chain, 54) };
    const byHand = { ...reading, ...scoreByHand(heart, [at(10, 10), at(58, 10)]), edges: [at(10, 10), at(58, 10)] };
    expect([rejected.ruler.kind, byHand.ruler.kind]).toEqual(["fallback", "fallback"]);
    for (const inParts of [rejected, byHand])
      expect(toAnnotatedImage(inParts, picture)?.edges).toEqual([
        ["T4", [41.5, 41.5]],
        ["T10", [233.5, 41.5]],
      ]);
  });

  it("matches the fixture of the training's tests", () => {
    const kept = JSON.parse(readFileSync("test/fixtures/annotated-export/index.json", "utf8")) as unknown;
    const column = Array.from({ length: 9 }, (_, index) => at(18 + 8 * index, 10));
    const [counted, inParts] = [column, [at(18, 10), at(66, 10)]].map((placed, index) =>
      toAnnotatedImage(
        { ...reading, edges: placed, ...scoreByHand(heart, placed) },
        { ...picture, file: `dog-${index + 1}.png` },
      ),
    );
    expect({ version: 1, images: [counted, inParts] }).toEqual(kept);
  });

  it("derives the facing direction from the column, and the group from the size", () => {
    const mirrored = { ...reading, edges: edges.toReversed() };
    expect(toAnnotatedImage(mirrored, { ...picture, widthPx: 200, heightPx: 180 })).toMatchObject({
      facing: "right",
      group: "thumbnail",
    });
    const groups = [299, 300].map(
      (widthPx) => toAnnotatedImage(reading, { ...picture, widthPx, heightPx: 180 })?.group,
    );
    expect(groups).toEqual(["thumbnail", "hi-res"]);
  });

  it("is null for a film without points, and contains the points of a partly marked one", () => {
    expect([
      toAnnotatedImage({ ...reading, heart: null }, picture),
      toAnnotatedImage({ ...reading, edges: [] }, picture),
    ]).toEqual([null, null]);
    expect(toAnnotatedImage({ ...reading, heart: { ...heart, VLAS: null }, score: null }, picture)).toMatchObject({
      landmarks: { VLAS: null },
      vhs: null,
    });
    expect(toAnnotatedImage({ ...reading, edges: [at(20, 10)], ruler: null, score: null }, picture)?.edges).toEqual([
      ["T4", [81.5, 41.5]],
    ]);
  });
});

it("names vertebrae from T4 to T13, then from L1", () => {
  expect([0, 1, 9, 10, 12].map(vertebraName)).toEqual(["T4", "T5", "T13", "L1", "L3"]);
});
