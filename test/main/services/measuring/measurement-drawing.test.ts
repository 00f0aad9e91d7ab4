// Runs once: uses no store.
import { describe, expect, it } from "vitest";
import { drawMeasurement } from "../../../../main/services/measuring/measurement-drawing.ts";
import { measured } from "../../store/sample-store.ts";

const canvas = { width: 1080, height: 900, scale: 1 };
const rulerColour = "#d5dbe0";

function rulerLines(edges: typeof measured.edges) {
  const svg = drawMeasurement(
    { heart: measured.landmarks, score: measured.score, ruler: { kind: "detected", edges } },
    canvas,
  );
  const lines = [...svg.matchAll(new RegExp(`<path d="([^"]*)" fill="none" stroke="${rulerColour}"`, "g"))].map(
    ([, d]) => [...d!.matchAll(/[ML](-?[\d.]+) (-?[\d.]+)/g)].map(([, x, y]) => [Number(x), Number(y)] as const),
  );
  return { lines, names: svg.match(new RegExp(`fill="${rulerColour}"`, "g"))?.length ?? 0 };
}

describe("the ruler in a drawn film", () => {
  it("consists of one line, a tick at every edge and the name of every vertebra", () => {
    const { lines, names } = rulerLines(measured.ruler.edges);
    expect([lines.length, lines[0]!.length, names]).toEqual([1 + 6, 6, 5]);
  });

  it("is clipped to the film, without ticks and names of edges and vertebrae outside", () => {
    const edges = measured.ruler.edges.map(({ x, y }) => ({ x: x + 350, y }));
    const { lines, names } = rulerLines(edges);
    expect(edges.map(({ x }) => x)).toEqual([700, 800, 900, 1000, 1100, 1200]);
    expect([lines.length, lines[0]!.at(-1)![0], names]).toEqual([1 + 4, 1080, 4]);
    expect(lines.slice(1).every((tick) => tick.every(([x]) => x < 1010))).toBe(true);
  });

  it("names every second vertebra if vertebrae are narrower than a name", () => {
    const [first] = measured.ruler.edges;
    const edges = measured.ruler.edges.map((_, index) => ({ x: first!.x + index * 18, y: first!.y }));
    expect(rulerLines(edges).names).toBe(3);
  });
});

it("labels axes that add up to the displayed score", () => {
  const drawnWith = (vhs: number, longAxisVertebrae: number, shortAxisVertebrae: number) =>
    drawMeasurement(
      {
        heart: measured.landmarks,
        score: { ...measured.score, vhs, longAxisVertebrae, shortAxisVertebrae },
        ruler: measured.ruler,
      },
      canvas,
    );
  expect(drawnWith(9.68, 5.34, 4.34)).toBe(drawnWith(9.7, 5.3, 4.4));
  expect(drawnWith(9.68, 5.34, 4.34)).not.toBe(drawnWith(9.6, 5.3, 4.3));
});
