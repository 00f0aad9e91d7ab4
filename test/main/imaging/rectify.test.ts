import { readFileSync } from "node:fs";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { decodeImage, type ColourPixels } from "../../../main/imaging/decode-image.ts";
import { straightenedSizePx, unitSquareTo } from "../../../main/imaging/homography.ts";
import { rectify, warpPerspective } from "../../../main/imaging/rectify.ts";
import { validateCorners, type Corners } from "../../../main/imaging/validate-corners.ts";

const cells = 8;
const picture = { widthPx: 1600, heightPx: 1200 };

/**
 * A pinhole camera that looks at a checkerboard (a rectangle of cells x rows unit squares) turned about both axes.
 * Written with rotation matrices, apart from the program's own homography.
 */
function camera(yawDeg: number, pitchDeg: number, focalPx = 1200) {
  const [yaw, pitch] = [(yawDeg * Math.PI) / 180, (pitchDeg * Math.PI) / 180];
  return (u: number, v: number) => {
    const x0 = u - cells / 2;
    const y0 = v - cells / 2;
    const [x1, z1] = [x0 * Math.cos(yaw), -x0 * Math.sin(yaw)];
    const [y2, z2] = [y0 * Math.cos(pitch) - z1 * Math.sin(pitch), y0 * Math.sin(pitch) + z1 * Math.cos(pitch)];
    const depth = z2 + cells * 1.5;
    return { x: (picture.widthPx - 1) / 2 + (focalPx * x1) / depth, y: (picture.heightPx - 1) / 2 + (focalPx * y2) / depth };
  };
}

/** Photographs the board: each pixel looks up its cell through the inverse of the corners' map. */
function photographBoard(project: (u: number, v: number) => { x: number; y: number }): ColourPixels {
  const corners = [project(0, 0), project(cells, 0), project(cells, cells), project(0, cells)] as const;
  const back = inverse(unitSquareTo(corners));
  const data = new Uint8Array(picture.widthPx * picture.heightPx * 3);
  const samples = [-0.375, -0.125, 0.125, 0.375];
  for (let y = 0, at = 0; y < picture.heightPx; y += 1) {
    for (let x = 0; x < picture.widthPx; x += 1, at += 3) {
      let light = 0;
      for (const dy of samples) for (const dx of samples) light += boardAt(back(x + dx, y + dy));
      data.fill(Math.round((light / 16) * 255), at, at + 3);
    }
  }
  return { ...picture, channels: 3, data };
}

function boardAt({ x, y }: { x: number; y: number }): number {
  if (x < 0 || y < 0 || x >= 1 || y >= 1) return 0.5;
  return (Math.floor(x * cells) + Math.floor(y * cells)) % 2;
}

function inverse({ a, b, c, d, e, f, g, h }: ReturnType<typeof unitSquareTo>) {
  const m = [e - f * h, c * h - b, b * f - c * e, f * g - d, a - c * g, c * d - a * f, d * h - e * g, b * g - a * h, a * e - b * d] as const;
  return (x: number, y: number) => {
    const w = m[6] * x + m[7] * y + m[8];
    return { x: (m[0] * x + m[1] * y + m[2]) / w, y: (m[3] * x + m[4] * y + m[5]) / w };
  };
}

/** Where black turns to white along a line of grey values, to a fraction of a pixel, between two places. */
function edgeNear(values: (at: number) => number, expected: number): number {
  let best = Infinity;
  for (let at = Math.floor(expected) - 6; at < expected + 6; at += 1) {
    const [from, to] = [values(at) - 127.5, values(at + 1) - 127.5];
    if (from * to <= 0 && from !== to) {
      const crossing = at + from / (from - to);
      if (Math.abs(crossing - expected) < Math.abs(best - expected)) best = crossing;
    }
  }
  return best;
}

describe("rectification", () => {
  it.each([[40, 0], [0, 40], [40, 20], [-30, -30]])("makes a checkerboard square again that was photographed at %i and %i degrees", async (yaw, pitch) => {
    const project = camera(yaw, pitch);
    const corners = [project(0, 0), project(cells, 0), project(cells, cells), project(0, cells)] as const;
    const side = 800;
    const board = await warpPerspective(photographBoard(project), corners, { widthPx: side, heightPx: side });
    const grey = (x: number, y: number) => board.data[(y * side + x) * 3] as number;
    let worst = 0;
    for (let line = 1; line < cells; line += 1) {
      for (let row = 0; row < cells; row += 1) {
        const middle = Math.round((row + 0.5) * (side / cells));
        const expected = (line * side) / cells - 0.5;
        worst = Math.max(worst, Math.abs(edgeNear((at) => grey(at, middle), expected) - expected), Math.abs(edgeNear((at) => grey(middle, at), expected) - expected));
      }
    }
    expect(worst).toBeLessThan(1);
  });

  it.each([[40, 25], [-35, 30], [20, 15]])("gives the board its true aspect at %i and %i degrees", (yaw, pitch) => {
    const project = camera(yaw, pitch);
    const { widthPx, heightPx } = straightenedSizePx([project(0, 0), project(cells, 0), project(cells, cells), project(0, cells)], picture);
    expect(widthPx / heightPx).toBeCloseTo(1, 6);
  });

  it("turned about one axis only, the aspect rests on a telephone's usual focal length", () => {
    const usual = camera(40, 0);
    const { widthPx, heightPx } = straightenedSizePx([usual(0, 0), usual(cells, 0), usual(cells, cells), usual(0, cells)], picture);
    expect(widthPx / heightPx).toBeCloseTo(1, 6);
    const tele = camera(40, 0, 2400);
    const far = straightenedSizePx([tele(0, 0), tele(cells, 0), tele(cells, cells), tele(0, cells)], picture);
    // Not known from the picture: nearer to 1 than the edges alone, which say 0.6.
    expect(far.widthPx / far.heightPx).toBeGreaterThan(0.6);
    expect(far.widthPx / far.heightPx).toBeLessThan(1.05);
  });

  it("keeps the size and pixels of a film photographed straight on", async () => {
    const film = await decodeImage(readFileSync(new URL("../../fixtures/films/dog-01.jpg", import.meta.url)));
    const straight: Corners = [{ x: 99.5, y: 49.5 }, { x: 599.5, y: 49.5 }, { x: 599.5, y: 449.5 }, { x: 99.5, y: 449.5 }];
    const rectified = await rectify(film, straight);
    expect([rectified.widthPx, rectified.heightPx]).toEqual([500, 400]);
    const source = await film.fullColour();
    let worst = 0;
    for (let y = 0; y < 400; y += 7) for (let x = 0; x < 500; x += 7) worst = Math.max(worst, Math.abs((rectified.grey[y * 500 + x] as number) - (source.data[((y + 50) * source.widthPx + x + 100) * 3] as number)));
    expect(worst).toBeLessThanOrEqual(1);
    const jpeg = await sharp(await rectified.toJpeg()).metadata();
    expect(jpeg).toMatchObject({ format: "jpeg", width: 500, height: 400 });
  });

  it("makes films no longer than asked, from a photograph of any size", async () => {
    const film = await decodeImage(readFileSync(new URL("../../fixtures/films/dog-large-01.jpg", import.meta.url)));
    const corners: Corners = [{ x: 200, y: 150 }, { x: 2700, y: 250 }, { x: 2600, y: 2200 }, { x: 250, y: 2100 }];
    const small = await rectify(film, corners, { longestSidePx: 1080 });
    const large = await rectify(film, corners);
    expect(Math.max(small.widthPx, small.heightPx)).toBe(1080);
    expect(Math.max(large.widthPx, large.heightPx)).toBeGreaterThan(2000);
    expect(small.widthPx / small.heightPx).toBeCloseTo(large.widthPx / large.heightPx, 2);
  });

  it("stops when nobody waits", async () => {
    const source: ColourPixels = { data: new Uint8Array(300), widthPx: 10, heightPx: 10, channels: 3 };
    const square: Corners = [{ x: 0, y: 0 }, { x: 9, y: 0 }, { x: 9, y: 9 }, { x: 0, y: 9 }];
    await expect(warpPerspective(source, square, { widthPx: 50, heightPx: 50 }, AbortSignal.abort())).rejects.toMatchObject({ code: "ABORTED" });
  });

  it("maps the unit square's corners exactly", () => {
    const corners: Corners = [{ x: 10, y: 20 }, { x: 300, y: 40 }, { x: 280, y: 260 }, { x: 30, y: 240 }];
    const { a, b, c, d, e, f, g, h } = unitSquareTo(corners);
    ([[0, 0], [1, 0], [1, 1], [0, 1]] as const).forEach(([u, v], index) => {
      const w = g * u + h * v + 1;
      expect((a * u + b * v + c) / w).toBeCloseTo(corners[index]!.x, 9);
      expect((d * u + e * v + f) / w).toBeCloseTo(corners[index]!.y, 9);
    });
  });
});

describe("validateCorners", () => {
  const size = { widthPx: 640, heightPx: 480 };
  const good = [[50, 40], [600, 60], [580, 440], [70, 430]];
  const fault = (corners: number[][]) => {
    try {
      validateCorners(corners, size);
      return "accepted";
    } catch (error) {
      return (error as Error).message;
    }
  };

  it("accepts a film, also one that reaches a little over the border", () => {
    expect(fault(good)).toBe("accepted");
    expect(fault([[-60, -30], [690, 0], [640, 500], [0, 479]])).toBe("accepted");
  });

  it.each([
    ["3 corners", good.slice(1), "expected 4 pairs"],
    ["a corner of three numbers", [[1, 2, 3], ...good.slice(1)], "expected 4 pairs"],
    ["NaN", [[NaN, 40], ...good.slice(1)], "TL is not a finite number"],
    ["infinity", [...good.slice(0, 2), [580, Infinity], [70, 430]], "BR is not a finite number"],
    ["a corner far outside", [...good.slice(0, 3), [-200, 430]], "BL lies outside the image of 640 x 480 px"],
    ["the reverse order", [...good].reverse(), "wrong order"],
    ["crossed sides", [good[0]!, good[2]!, good[1]!, good[3]!], "not convex, or not in the order"],
    ["a dent", [[50, 40], [600, 60], [200, 150], [70, 430]], "not convex"],
    ["three corners on a line", [[50, 40], [325, 40], [600, 40], [70, 430]], "three corners lie on a line"],
    ["four times the same", [[5, 5], [5, 5], [5, 5], [5, 5]], "shorter than"],
  ])("refuses %s and names it", (_, corners, message) => {
    expect(fault(corners)).toContain(message);
  });
});
