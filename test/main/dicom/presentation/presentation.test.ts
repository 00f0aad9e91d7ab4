import { describe, expect, it } from "vitest";
import { filmScale } from "../../../../core/annotations/film-scale.ts";
import { readDicomFile } from "../../../../main/dicom/dicom-file.ts";
import { presentationState } from "../../../../main/dicom/presentation/presentation-state.ts";
import { readPresentation } from "../../../../main/dicom/presentation/read-presentation.ts";
import { readResultObject } from "../../../../main/dicom/results/read-result.ts";
import { restoredReading } from "../../../../main/dicom/results/packed-readings.ts";
import type { ReferencedFilm, ResultSubject } from "../../../../main/dicom/results/result-subject.ts";
import { text, us } from "../dicom-writer.ts";
import { floats, foreignPresentation, graphic } from "./foreign-presentation.ts";
import { ask, isMissing } from "../results/judges.ts";
import { subjects } from "../results/subjects.ts";

const film: ReferencedFilm = {
  sopClassUid: "1.2.840.10008.5.1.4.1.1.1.1",
  sopInstanceUid: "1.2.3.4.5",
  seriesInstanceUid: "1.2.3.4.1",
  frameNumber: null,
  size: { widthPx: 2160, heightPx: 1800 },
  pixelAspect: 1,
};
const frame = { widthPx: 1080, heightPx: 900 };
const at = "2026-11-21T10:00:00.000Z";
const drawings = {
  ...{ at, who: "Dr. Weiß", scale: filmScale(null, frame, frame, null) },
  set: {
    frame,
    calibration: null,
    annotations: [
      {
        id: "a",
        tool: "length" as const,
        points: [
          { x: 10, y: 20 },
          { x: 40, y: 60 },
        ],
        text: "",
      },
      { id: "b", tool: "note" as const, points: [{ x: 99.5, y: 49.5 }], text: "Erguß?" },
    ],
  },
};
const drawn: ResultSubject = { ...subjects["a correction by a person with umlauts"]!, drawings };
const all = { ...subjects, "a film that was drawn on": drawn };

/** Our private element, and a film of no known patient. */
const knownWarnings = [
  /^\(0x0099,0x1001\) {2}\? {2}- Warning - Unrecognized tag - assuming explicit value representation OK$/,
  /^Warning - Missing attribute or value that would be needed to build DICOMDIR - Patient ID$/,
];
const states = Object.entries(all).flatMap(([name, subject]) => {
  const made = presentationState(subject, film);
  return made ? [[name, made] as const] : [];
});

describe.skipIf(isMissing("dciodvfy"))("dciodvfy", () => {
  it.each(states)("finds no fault with the graphics of %s", (_name, state) => {
    const [verdict, ...rest] = ask("dciodvfy", state.bytes).lines.filter(
      (line) => !knownWarnings.some((known) => known.test(line)),
    );
    expect([verdict, rest]).toEqual(["GrayscaleSoftcopyPresentationState", []]);
  });
});

describe("a presentation state of ours", () => {
  it("draws axes, landmarks, ruler and drawings on the film's own pixels, in layers", () => {
    const file = readDicomFile(presentationState(drawn, film)!.bytes);
    const layers = file.items("00700001").map((item) => item.text("00700002"));
    expect(layers).toEqual(["HEART", "RULER", "DRAWINGS"]);
    expect(file.items("00700060").map((item) => item.text("00700002"))).toEqual(layers);
    const byHand = file.items("00700001")[2]!;
    expect(byHand.items("00700009").map((item) => item.numbers("00700022"))).toEqual([
      [21, 41, 81, 121],
      [200, 100],
    ]);
    expect(byHand.items("00700008").map((item) => item.text("00700006"))).toEqual(["50 px", "Erguß?"]);
    const heart = file.items("00700001")[0]!;
    expect(heart.items("00700008").map((item) => item.text("00700006"))).toEqual(
      expect.arrayContaining([expect.stringMatching(/^VHS \d+\.\d v$/), expect.stringMatching(/^Long \d+\.\d v$/)]),
    );
    expect(file.items("00081115")[0]!.items("00081140")[0]!.text("00081155")).toBe("1.2.3.4.5");
  });

  it("says axes that add up to the score beside them, as everywhere", () => {
    const axes = { vhs: 9.68, longAxisVertebrae: 5.34, shortAxisVertebrae: 4.34 };
    const readings = drawn.readings.map((one) => ({ ...one, score: one.score && { ...one.score, ...axes } }));
    const file = readDicomFile(presentationState({ ...drawn, readings }, film)!.bytes);
    const said = file
      .items("00700001")[0]!
      .items("00700008")
      .map((item) => item.text("00700006"));
    expect(said).toEqual(expect.arrayContaining(["VHS 9.7 v", "Long 5.3 v", "Short 4.4 v"]));
  });

  it("gives the readings back, and is nobody else's marks", () => {
    const file = readDicomFile(presentationState(drawn, film)!.bytes);
    expect(readResultObject(file)).toMatchObject({
      kind: "presentation",
      readings: drawn.readings.map((one) => restoredReading.parse(one)),
    });
    expect(readPresentation(file)).toBeNull();
  });

  it("has no private element where the film is de-identified", () => {
    const state = presentationState({ ...drawn, deidentification: {} }, film)!;
    expect(
      readDicomFile(state.bytes)
        .tags()
        .filter((tag) => Number.parseInt(tag.slice(3, 4), 16) % 2 === 1),
    ).toEqual([]);
  });

  it("is not written where there is nothing to draw", () => {
    const [reading] = drawn.readings;
    expect(presentationState({ ...drawn, drawings: null, readings: [{ ...reading!, heart: null }] }, film)).toBeNull();
  });
});

const foreign = (...parts: Parameters<typeof foreignPresentation>) => readDicomFile(foreignPresentation(...parts));
const pointsOf = (file: ReturnType<typeof foreign>) =>
  readPresentation(file)!.films[0]!.marks.map(({ points }) => points);
const half = (x: number, y: number) => ({ x: x - 0.5, y: y - 0.5 });

describe("a presentation state of another program", () => {
  it("is read with who made it, its lines and its texts", () => {
    const label = [
      text("00700004", "CS", "PIXEL"),
      text("00700006", "ST", "Erguß"),
      floats("00700014", 30, 40),
      text("00700015", "CS", "Y"),
    ];
    expect(readPresentation(foreign([graphic("POLYLINE", "PIXEL", 1, 2, 3, 4)], [label]))).toEqual({
      ...{ sopInstanceUid: "1.2.9.1", label: "REPORT", creator: "Ina Müller", at: null },
      films: [
        {
          ...{ sopInstanceUid: "1.2.3.4.5", frameNumber: 1 },
          marks: [
            { points: [half(1, 2), half(3, 4)], text: null },
            { points: [half(30, 40)], text: "Erguß" },
          ],
        },
      ],
    });
  });

  it("makes lines of circles and ellipses", () => {
    const [circle, ellipse] = pointsOf(
      foreign([
        graphic("CIRCLE", "PIXEL", 50, 50, 60, 50),
        graphic("ELLIPSE", "PIXEL", 10, 50, 30, 50, 20, 45, 20, 55),
      ]),
    );
    for (const { x, y } of circle!) expect(Math.hypot(x - 49.5, y - 49.5)).toBeCloseTo(10, 6);
    for (const { x, y } of ellipse!) expect(((x - 19.5) / 10) ** 2 + ((y - 49.5) / 5) ** 2).toBeCloseTo(1, 6);
  });

  it.each([
    ["unturned", [], [50, 75]],
    ["flipped", [text("00700041", "CS", "Y"), us("00700042", 0)], [150, 75]],
    ["turned by 90°", [text("00700041", "CS", "N"), us("00700042", 90)], [150, 75]],
    ["turned by 180°", [text("00700041", "CS", "N"), us("00700042", 180)], [150, 25]],
    ["turned by 270° and flipped", [text("00700041", "CS", "Y"), us("00700042", 270)], [50, 75]],
  ] as const)("finds the place on the picture of a mark on the %s display", (_how, turned, [x, y]) => {
    expect(pointsOf(foreign([graphic("POINT", "DISPLAY", 0.25, 0.75)], [], turned))).toEqual([[half(x, y)]]);
  });

  it("is left aside where it draws nothing that can be shown", () => {
    expect(readPresentation(foreign([graphic("POLYLINE", "MATRIX", 1, 2, 3, 4)]))).toBeNull();
    expect(readPresentation(foreign([graphic("SPIRAL", "PIXEL", 1, 2)]))).toBeNull();
    expect(readPresentation(foreign([graphic("POLYLINE", "PIXEL", 1, 2, Infinity, 4)]))).toBeNull();
  });
});
