// Runs once: uses no store.
import sharp from "sharp";
import { afterEach, describe, expect, it, vi } from "vitest";
import { createDicomReader } from "../../../../main/dicom/dicom-reader.ts";
import { drawReading, stripOfReadings } from "../../../../main/services/results/drawn-reading.ts";
import { drawStrip, stripHeightPx, stripOf } from "../../../../main/services/measuring/measurement-strip.ts";
import { correction, proposal, toReview } from "../../dicom/results/subjects.ts";
import { measured } from "../../store/sample-store.ts";

afterEach(() => vi.unstubAllEnvs());

const dicom = createDicomReader();
const reviewReasons = [...toReview.reviewReasons.filter(({ kind }) => kind === "member_scatter" || kind === "spread")];
const reading = { ...toReview, reviewReasons };
const words = [
  "The networks place the points far apart: spread 0.0092 of the film’s longest side, review from 0.008.",
  "The networks disagree on the score by about 0.172 v, review from 0.11 v.",
];

describe("the strip under a drawn film", () => {
  it("lists review reasons, also of an accepted film, but not of user-placed points or a rejected film", () => {
    const accepted = { ...reading, source: "person", verdict: "accepted", who: "Dr. Weber", tier: null } as const;
    const rejected = { ...accepted, verdict: "rejected" } as const;
    expect(
      [[reading], [reading, accepted], [reading, rejected], [reading, correction], [proposal]].map(
        (readings) => stripOfReadings(readings).notes,
      ),
    ).toEqual([words, words, [], [], []]);
  });

  it("lists edges of the ruler outside the film", () => {
    const edges = proposal.ruler!.edges.map(({ x, y }) => ({ x: x + 350, y }));
    expect(stripOfReadings([{ ...proposal, ruler: { ...proposal.ruler!, edges } }]).notes).toEqual([
      "Outside the film, estimated: cranial edge of T8, T9",
    ]);
  });

  it("prints scores with one decimal in every picture", () => {
    const drawn = (vhs: number) => {
      const score = { ...measured.score, vhs, vlas: 2.345 };
      const strips = [stripOfReadings([{ ...proposal, score }]), stripOf({ ...measured, score })];
      return strips.map((strip) => drawStrip(strip, { width: 1080, top: 0 }));
    };
    expect(drawn(10.123)).toEqual(drawn(10.1));
    expect(drawn(10.16)).not.toEqual(drawn(10.1));
  });

  it("prints a spread that does not reach a limit below it", () => {
    const spread = 0.004968;
    expect(stripOf({ ...measured, spread }).how).toBe("spread 0.0049");
    expect(stripOfReadings([{ ...proposal, spread }]).how).toBe("spread 0.0049");
  });

  it("dates a decision by the local day", () => {
    vi.stubEnv("TZ", "Europe/Berlin");
    const accepted = { ...proposal, verdict: "accepted", who: "Dr. Weber", at: "2026-11-26T23:30:00.000Z" } as const;
    expect(stripOfReadings([accepted]).standing.words).toBe("Accepted by Dr. Weber, 2026-11-27");
  });

  it("has its usual height without notes and in pictures of the API", () => {
    const strip = stripOf({ ...measured, tier: "review", reviewReasons });
    expect(strip.notes).toEqual([]);
    expect([stripHeightPx(strip, 1080), stripHeightPx(stripOfReadings([proposal]), 1080)]).toEqual([112, 112]);
  });

  it.each([500, 1000, 2000])("wraps text for a film of %d px and keeps lines separate", (width) => {
    const strip = stripOfReadings([reading]);
    const without = { ...strip, notes: [] };
    const boxes = boxesOf(drawStrip(strip, { width, top: 0 }), drawStrip(without, { width, top: 0 }));
    const height = stripHeightPx(strip, width);
    expect(boxes.filter(({ left, right, bottom }) => left < 0 || right > width || bottom > height)).toEqual([]);
    const sorted = boxes.toSorted((a, b) => a.top - b.top);
    expect(sorted.slice(1).filter(({ top }, index) => top < sorted[index]!.bottom)).toEqual([]);
    expect(boxes.length - 1).toBeGreaterThanOrEqual(width < 800 ? 3 : 2);
  });

  it("puts the signer on a separate line if it does not fit", () => {
    const strip = stripOfReadings([proposal, { ...correction, score: { ...correction.score!, rlad: 1.7 } }]);
    const signed = { ...strip, standing: { ...strip.standing, words: `Corrected by ${"Dr. Weber ".repeat(4)}` } };
    const unsigned = { ...strip, standing: { ...strip.standing, words: "" } };
    const letters = boxesOf(drawStrip(signed, { width: 1080, top: 0 }), drawStrip(unsigned, { width: 1080, top: 0 }));
    expect(letters.some(({ left, right }) => left < 40 && right <= 1080)).toBe(true);
    expect(stripHeightPx(signed, 1080)).toBeGreaterThan(stripHeightPx(unsigned, 1080));
  });

  it.each([300, 500, 1080])("wraps the line with the pack's release on a film of %d px", (width) => {
    const strip = stripOfReadings([proposal]);
    const source = `${strip.source} Clinically validated, released by ${"Dr. Jane Doe ".repeat(9)}(Example Ltd).`;
    const released = { ...strip, source };
    const boxes = boxesOf(
      drawStrip(released, { width, top: 0 }),
      drawStrip({ ...strip, source: "" }, { width, top: 0 }),
    );
    const height = stripHeightPx(released, width);
    expect(boxes.filter(({ left, right, bottom }) => left < 0 || right > width || bottom > height)).toEqual([]);
    expect(height).toBeGreaterThan(stripHeightPx({ ...strip, source: "Corvet" }, width));
  });

  it("extends the picture by the height of its lines", async () => {
    const film = await sharp({ create: { width: 1000, height: 800, channels: 3, background: "#808080" } })
      .png()
      .toBuffer();
    const [plain, reviewed] = await Promise.all(
      [[proposal], [reading]].map((readings) =>
        drawReading(dicom, film, readings, { frameIndex: 0, isWithStrip: true }),
      ),
    );
    expect([plain!.heightPx, reviewed!.heightPx]).toEqual([
      800 + stripHeightPx(stripOfReadings([proposal]), 1000),
      800 + stripHeightPx(stripOfReadings([reading]), 1000),
    ]);
    expect(reviewed!.heightPx - plain!.heightPx).toBeGreaterThan(40);
  });
});

/** Returns the bounding boxes of outlines that the other strip lacks. */
function boxesOf(svg: string, without: string) {
  const outlines = (of: string) => [...of.matchAll(/<path d="([^"]*)"/g)].map((match) => match[1]!);
  return outlines(svg)
    .filter((outline) => !outlines(without).includes(outline))
    .map((outline) => {
      const numbers = [...outline.matchAll(/-?\d+(\.\d+)?/g)].map(([text]) => Number(text));
      const [xs, ys] = [0, 1].map((odd) => numbers.filter((_, index) => index % 2 === odd)) as [number[], number[]];
      return { left: Math.min(...xs), right: Math.max(...xs), top: Math.min(...ys), bottom: Math.max(...ys) };
    });
}
