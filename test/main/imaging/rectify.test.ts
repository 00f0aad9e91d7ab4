import { readFileSync } from "node:fs";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import type { Corners } from "../../../core/cardiac/points.ts";
import { mapped } from "../../../core/cardiac/plane-map.ts";
import { decodeImage, type ColourPixels } from "../../../main/imaging/decode-image.ts";
import { straightenedSizePx, unitSquareTo } from "../../../main/imaging/homography.ts";
import { rectify, warpPerspective } from "../../../main/imaging/rectify.ts";
import { validateCorners } from "../../../main/imaging/validate-corners.ts";
import { camera, cornersOf, photographBoard, picture, worstOffsetPx } from "./checkerboard.ts";
import { pointsAt } from "../../fixtures/points-at.ts";

describe("rectification", () => {
  it.each([
    [40, 0],
    [-30, -30],
  ])("rectifies a checkerboard photographed at %i and %i degrees", async (yaw, pitch) => {
    const eye = camera(yaw, pitch);
    const size = { widthPx: 800, heightPx: 800 };
    const board = await warpPerspective(photographBoard(eye), cornersOf(eye), size);
    const worst = worstOffsetPx((x, y) => board.data[(y * size.widthPx + x) * 3] as number, size);
    expect(worst).toBeLessThan(1);
  });

  it.each([
    [40, 25],
    [-35, 30],
    [20, 15],
  ])("restores the board's aspect at %i and %i degrees", (yaw, pitch) => {
    const { widthPx, heightPx } = straightenedSizePx(cornersOf(camera(yaw, pitch)), picture);
    expect(widthPx / heightPx).toBeCloseTo(1, 6);
  });

  it("derives the aspect from a phone's usual focal length for a rotation about one axis", () => {
    const usual = camera(40, 0);
    const { widthPx, heightPx } = straightenedSizePx(cornersOf(usual), picture);
    expect(widthPx / heightPx).toBeCloseTo(1, 6);
    const tele = camera(40, 0, 2400);
    const far = straightenedSizePx(cornersOf(tele), picture);
    // Not determined by the picture, but closer to 1 than the 0.6 of the edges alone.
    expect(far.widthPx / far.heightPx).toBeGreaterThan(0.6);
    expect(far.widthPx / far.heightPx).toBeLessThan(1.05);
  });

  it("clamps the focal length to that of phones, so that inexact corners keep the aspect", () => {
    const photograph = { widthPx: 360, heightPx: 640 };
    const aspectOf = (...corners: readonly (readonly [number, number])[]) => {
      const { widthPx, heightPx } = straightenedSizePx(
        corners.map(([x, y]) => ({ x, y })) as unknown as Corners,
        photograph,
      );
      return widthPx / heightPx;
    };
    // Corners of a simulated photograph, and as found by the program, up to 3.6 px off.
    const drawn = aspectOf([56.3, 252.8], [266.2, 218.4], [286.8, 402.8], [73.4, 416.7]);
    const found = aspectOf([55.5, 256.3], [267.0, 216.9], [287.3, 403.0], [72.5, 416.8]);
    expect(Math.abs(found / drawn - 1)).toBeLessThan(0.08);
  });

  it("keeps the size and pixels of a film photographed straight on", async () => {
    const film = await decodeImage(readFileSync(new URL("../../fixtures/films/dog-01.jpg", import.meta.url)));
    const straight: Corners = pointsAt([99.5, 49.5], [599.5, 49.5], [599.5, 449.5], [99.5, 449.5]);
    const rectified = await rectify(film, straight);
    expect([rectified.widthPx, rectified.heightPx]).toEqual([500, 400]);
    const source = await film.fullColour();
    let worst = 0;
    for (let y = 0; y < 400; y += 7)
      for (let x = 0; x < 500; x += 7)
        worst = Math.max(
          worst,
          Math.abs(
            (rectified.grey[y * 500 + x] as number) -
              (source.data[((y + 50) * source.widthPx + x + 100) * 3] as number),
          ),
        );
    expect(worst).toBeLessThanOrEqual(1);
    const jpeg = await sharp(await rectified.toJpeg()).metadata();
    expect(jpeg).toMatchObject({ format: "jpeg", width: 500, height: 400 });
  });

  it("limits the longest side of a film, for a photograph of any size", async () => {
    const large = new URL("../../fixtures/films/dog-large-01.jpg", import.meta.url);
    const film = await decodeImage(await sharp(readFileSync(large)).resize(1500).png().toBuffer());
    const corners: Corners = pointsAt([100, 75], [1350, 125], [1300, 1100], [125, 1050]);
    const small = await rectify(film, corners, { longestSidePx: 540 });
    const whole = await rectify(film, corners);
    expect(Math.max(small.widthPx, small.heightPx)).toBe(540);
    expect(Math.max(whole.widthPx, whole.heightPx)).toBeGreaterThan(1080);
    expect(small.widthPx / small.heightPx).toBeCloseTo(whole.widthPx / whole.heightPx, 2);
  });

  it("stops after cancellation", async () => {
    const source: ColourPixels = { data: new Uint8Array(300), widthPx: 10, heightPx: 10, channels: 3 };
    const square: Corners = pointsAt([0, 0], [9, 0], [9, 9], [0, 9]);
    await expect(
      warpPerspective(source, square, { widthPx: 50, heightPx: 50 }, AbortSignal.abort()),
    ).rejects.toMatchObject({ code: "ABORTED" });
  });

  it("maps the unit square's corners exactly", () => {
    const corners: Corners = pointsAt([10, 20], [300, 40], [280, 260], [30, 240]);
    const map = unitSquareTo(corners);
    (
      [
        [0, 0],
        [1, 0],
        [1, 1],
        [0, 1],
      ] as const
    ).forEach(([x, y], index) => {
      const place = mapped(map, { x, y });
      expect(place.x).toBeCloseTo(corners[index]!.x, 9);
      expect(place.y).toBeCloseTo(corners[index]!.y, 9);
    });
  });
});

describe("validateCorners", () => {
  const size = { widthPx: 640, heightPx: 480 };
  const good = [
    [50, 40],
    [600, 60],
    [580, 440],
    [70, 430],
  ];
  const fault = (corners: number[][]) => {
    try {
      validateCorners(corners, size);
      return "accepted";
    } catch (error) {
      return (error as Error).message;
    }
  };

  it("accepts a film, also one that slightly exceeds the border", () => {
    expect(fault(good)).toBe("accepted");
    expect(
      fault([
        [-60, -30],
        [690, 0],
        [640, 500],
        [0, 479],
      ]),
    ).toBe("accepted");
  });

  it.each([
    {
      seen: [
        [2657, 230],
        [3999, 2999],
        [0, 0],
        [2457, 131],
      ],
      about: /4999 px between them/,
    },
    {
      seen: [
        [919, 278],
        [3997, 2990],
        [6, 2537],
        [903, 276],
      ],
      about: /no film in this picture can have/,
    },
  ])("rejects a quadrilateral whose rectified size is impossible", ({ seen, about }) => {
    expect(() => validateCorners(seen, { widthPx: 4000, heightPx: 3000 })).toThrow(about);
  });

  it.each([
    ["3 corners", good.slice(1), "expected 4 pairs"],
    ["a corner of three numbers", [[1, 2, 3], ...good.slice(1)], "expected 4 pairs"],
    ["NaN", [[NaN, 40], ...good.slice(1)], "TL is not a finite number"],
    ["Infinity", [...good.slice(0, 2), [580, Infinity], [70, 430]], "BR is not a finite number"],
    ["a corner far outside", [...good.slice(0, 3), [-200, 430]], "BL lies outside the image of 640 x 480 px"],
    ["the reverse order", [...good].reverse(), "wrong order"],
    ["crossed sides", [good[0]!, good[2]!, good[1]!, good[3]!], "not convex, or not in the order"],
    [
      "a dent",
      [
        [50, 40],
        [600, 60],
        [200, 150],
        [70, 430],
      ],
      "not convex",
    ],
    [
      "three corners on a line",
      [
        [50, 40],
        [325, 40],
        [600, 40],
        [70, 430],
      ],
      "three corners lie on a line",
    ],
    [
      "four equal corners",
      [
        [5, 5],
        [5, 5],
        [5, 5],
        [5, 5],
      ],
      "shorter than",
    ],
  ])("rejects %s with the reason", (_, corners, message) => {
    expect(fault(corners)).toContain(message);
  });
});
