import { describe, expect, it } from "vitest";
import { toAnnotatedImage } from "../../../core/cardiac/annotated-image.ts";
import { vertebraName } from "../../../core/cardiac/ruler/vertebra-name.ts";

const at = (x: number, y: number) => ({ x, y });
const heart = {
  heart_top: at(40, 30),
  heart_bottom: at(60, 80),
  heart_right: at(30, 55),
  heart_left: at(70, 50),
  VLAS: at(62, 34),
};
const reading = {
  frame: { widthPx: 100, heightPx: 90 },
  heart,
  edges: [at(20, 10), at(30, 10), at(40, 11)],
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
  it("writes points in pixels of the exported picture, pixel centres on whole numbers", () => {
    expect(toAnnotatedImage(reading, picture)).toEqual({
      file: "dog-1.png",
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

  it("knows which way the animal faces by the column, and a thumbnail by its size", () => {
    const mirrored = { ...reading, edges: [...reading.edges].reverse() };
    expect(toAnnotatedImage(mirrored, { ...picture, widthPx: 200, heightPx: 180 })).toMatchObject({
      facing: "right",
      group: "thumbnail",
    });
  });

  it("has nothing to say about a film without points", () => {
    expect([
      toAnnotatedImage({ ...reading, heart: null }, picture),
      toAnnotatedImage({ ...reading, edges: [] }, picture),
    ]).toEqual([null, null]);
    expect(toAnnotatedImage({ ...reading, heart: { ...heart, VLAS: null }, score: null }, picture)).toMatchObject({
      landmarks: { VLAS: null },
      vhs: null,
    });
  });
});

it("names vertebrae from T4 over T13 to the lumbar ones", () => {
  expect([0, 1, 9, 10, 12].map(vertebraName)).toEqual(["T4", "T5", "T13", "L1", "L3"]);
});
