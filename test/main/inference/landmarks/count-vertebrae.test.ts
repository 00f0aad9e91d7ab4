import { describe, expect, it } from "vitest";
import { heartLandmarkNames, type HeartLandmarks } from "../../../../core/cardiac/landmarks.ts";
import type { Point } from "../../../../core/cardiac/points.ts";
import { countVertebrae } from "../../../../main/inference/landmarks/count-vertebrae.ts";
import type { NamedColumn } from "../../../../main/inference/landmarks/landmark-decoding.ts";
import type { LoadedColumn } from "../../../../main/inference/packs/loaded-pack.ts";
import { imageLevels } from "../../../../main/inference/views/sample-frame.ts";

const vertebrae = ["C7", ...Array.from({ length: 13 }, (_, index) => `T${index + 1}`), "L1", "L2", "L3"];
const [width, height, cells, vertebraPx] = [512, 96, 128, 32] as const;
const heart = Object.fromEntries(heartLandmarkNames.map((name) => [name, { x: 300, y: 260 }])) as HeartLandmarks;
const levels = imageLevels({ widthPx: 600, heightPx: 300, grey: new Uint8Array(600 * 300).fill(90) });
/** Edges 30 px apart, starting with C7 at x = 40. */
const chain: NamedColumn = {
  edges: vertebrae.map((_, label) => ({ place: { x: 40 + 30 * label, y: 100 }, seen: label > 2 })),
  shiftEvidence: { cranial: -3, caudal: -3 },
};

/** Networks that predict lengths along the strip, and the chain's names, shifted caudally by `shift` vertebrae. */
function columnThatSees(
  share: (cell: number, network: number) => number,
  shift = 0,
  networks = 1,
): LoadedColumn & { readonly seen: Float32Array[] } {
  const names = vertebrae.flatMap((_, label) =>
    Array.from({ length: cells }, (_, cell) => {
      const edge = width / 2 + (label + shift - vertebrae.indexOf("T8")) * vertebraPx;
      return Math.abs(4 * cell + 2 - edge) <= 8 ? 0.2 : 0;
    }),
  );
  const seen: Float32Array[] = [];
  const sha256 = "0".repeat(64);
  return {
    seen,
    manifest: {
      file: "column.onnx",
      sha256,
      input: { name: "strip", dtype: "float32", shape: [1, 1, height, width] },
      outputs: [
        { name: "lengths", dtype: "float32", shape: [networks, cells] },
        { name: "names", dtype: "float32", shape: [1, vertebrae.length, cells] },
      ],
      golden: { inputSeed: 7, outputs: [{ name: "lengths", values: [1], tolerance: 0.1 }] },
      vertebraPx,
    },
    network: {
      run(input) {
        seen.push(input.slice());
        const lengths = Float32Array.from({ length: networks * cells }, (_, at) =>
          share(at % cells, Math.floor(at / cells)),
        );
        return Promise.resolve(
          new Map([
            ["lengths", lengths],
            ["names", Float32Array.from(names)],
          ]),
        );
      },
      release: () => Promise.resolve(),
    },
    input: new Float32Array(width * height),
  };
}

const xs = (edges: readonly Point[]) => edges.map(({ x }) => x);

describe("countVertebrae", () => {
  it("counts from T4 by the network's lengths, not the chain's", async () => {
    const column = columnThatSees(() => 0.9);
    const { edges } = (await countVertebrae(column, levels, chain, [heart], vertebrae))!;
    expect(edges).toHaveLength(vertebrae.length - 4);
    xs(edges).forEach((x, index) => expect(x).toBeCloseTo(160 + 27 * index, 4));
  });

  it("samples the column at the usual length, with T8 in the middle", async () => {
    const lit = new Uint8Array(600 * 300);
    // Six pixels right of T8.
    for (let y = 0; y < 300; y++) lit[y * 600 + 286] = 255;
    const column = columnThatSees(() => 1);
    await countVertebrae(column, imageLevels({ widthPx: 600, heightPx: 300, grey: lit }), chain, [heart], vertebrae);
    const row = column.seen[0]!.subarray(40 * width, 41 * width);
    expect(row.indexOf(Math.max(...row))).toBeCloseTo(255.5 + (6 * vertebraPx) / 30, -0.3);
  });

  it("uses the length at each position", async () => {
    // T8 lies between cells 63 and 64: vertebrae are 30 px long cranial of it and 36 px long caudal of it.
    const column = columnThatSees((cell) => (cell < 64 ? 1 : 1.2));
    const between = xs((await countVertebrae(column, levels, chain, [heart], vertebrae))!.edges);
    expect((between[1] as number) - (between[0] as number)).toBeCloseTo(30, 4);
    expect((between[9] as number) - (between[8] as number)).toBeCloseTo(36, 4);
  });

  it("counts by the mean of all networks, and by each network", async () => {
    const column = columnThatSees((_, network) => [0.8, 1.25, 1][network] as number, 0, 3);
    const { edges, counts } = (await countVertebrae(column, levels, chain, [heart], vertebrae))!;
    xs(edges).forEach((x, index) => expect(x).toBeCloseTo(160 + 30 * index, 4));
    counts.forEach((own, network) => {
      expect(own).toHaveLength(edges.length);
      xs(own).forEach((x, index) => expect(x).toBeCloseTo(160 + [24, 37.5, 30][network]! * index, 4));
    });
    expect(counts).toHaveLength(3);
  });

  it.each([
    [0, null],
    [-1, { direction: "cranial", fromX: 130, count: 14 }],
    [1, { direction: "caudal", fromX: 190, count: 12 }],
  ] as const)("returns an alternative count for names shifted by %i", async (shift, other) => {
    const column = columnThatSees(() => 1, shift);
    const { otherCount } = (await countVertebrae(column, levels, chain, [heart], vertebrae))!;
    expect(
      otherCount && {
        direction: otherCount.direction,
        fromX: Math.round(otherCount.edges[0]!.x),
        count: otherCount.edges.length,
      },
    ).toEqual(other);
  });

  it("returns null if edges coincide", async () => {
    const edges = chain.edges.map((edge) => ({ ...edge, place: { x: 100, y: 100 } }));
    const nowhere = { ...chain, edges };
    const column = columnThatSees(() => 1);
    expect(await countVertebrae(column, levels, nowhere, [heart], vertebrae)).toBeNull();
  });

  it.each([0, -1, NaN, Infinity])("returns null for a length of %d", async (length) => {
    const column = columnThatSees((cell) => (cell === 60 ? length : 1));
    expect(await countVertebrae(column, levels, chain, [heart], vertebrae)).toBeNull();
  });
});
