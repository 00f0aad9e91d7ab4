import { describe, expect, it } from "vitest";
import { filmScale } from "../../../../core/annotations/film-scale.ts";
import { readDicomFile } from "../../../../main/dicom/dicom-file.ts";
import type { DicomElements } from "../../../../main/dicom/elements/dicom-elements.ts";
import { excerptOf, valuesOf } from "../../../../main/dicom/elements/element-excerpt.ts";
import { presentationState as stateOfFilm } from "../../../../main/dicom/presentation/presentation-state.ts";
import { readPresentation } from "../../../../main/dicom/presentation/read-presentation.ts";
import { readResultObject } from "../../../../main/dicom/results/read-result.ts";
import { restoredReading } from "../../../../main/dicom/results/packed-readings.ts";
import type { ReferencedFilm, ResultSubject } from "../../../../main/dicom/results/result-subject.ts";
import { bytes, dataSet, partTen, sequence, text, us, type Written } from "../dicom-writer.ts";
import { hasTool, madeBy } from "../pixels/dicom-tools.ts";
import { floats, foreignPresentation, graphic, labelAt } from "./foreign-presentation.ts";
import { isMissing, verdictOn } from "../results/judges.ts";
import { subjects } from "../results/subjects.ts";

const film: ReferencedFilm = {
  sopClassUid: "1.2.840.10008.5.1.4.1.1.1.1",
  sopInstanceUid: "1.2.3.4.5",
  seriesInstanceUid: "1.2.3.4.1",
  frameNumber: null,
  size: { widthPx: 2160, heightPx: 1800 },
  pixelAspect: 1,
  said: null,
};
const presentationState = (subject: ResultSubject) => stateOfFilm(subject, { ...film, said: subject.source });
const frame = { widthPx: 1080, heightPx: 900 };
const at = "2026-11-21T10:00:00.000Z";
const drawings = {
  ...{ at, who: "Dr. Weiß", scale: filmScale(null, frame, frame, null) },
  set: {
    frame,
    corners: null,
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

const wide = (...values: number[]) => Buffer.from(Int16Array.from(values).buffer);
const table = (tag: string, first: number, entries: readonly number[]) =>
  sequence(tag, [
    bytes("00283002", first < 0 ? "SS" : "US", wide(entries.length, first, 16)),
    ...(tag === "00283000" ? [text("00283004", "LO", "OD")] : []),
    bytes("00283006", "OW", wide(...entries)),
  ]);
const window = [text("00281050", "DS", "2048\\1000"), text("00281051", "DS", "1000\\500")];
const saying = (...elements: readonly Written[]): ResultSubject => {
  const film = [
    text("00080016", "UI", "1.2.840.10008.5.1.4.1.1.1.1"),
    text("00080020", "DA", "20261119"),
    text("00080030", "TM", "081500"),
    text("00100020", "LO", "4711"),
    text("00200010", "SH", "S1"),
    us("00280002", 1),
  ];
  const shape = elements.some(({ tag }) => tag === "00280004") ? [] : [text("00280004", "CS", "MONOCHROME2")];
  const file = readDicomFile(partTen("1.2.840.10008.1.2.1", dataSet(...film, ...shape, ...elements)));
  return { ...drawn, source: valuesOf(excerptOf(file)) };
};
const greys: Readonly<Record<string, ResultSubject>> = {
  "a sigmoid": saying(...window, text("00281056", "CS", "SIGMOID")),
  tables: saying(us("00280103", 1), table("00283000", -4, [0, 10, 65_535, 30]), table("00283010", 20, [1, 2, 65_535])),
  "a table behind a rescale": saying(
    ...[text("00281052", "DS", "-100"), text("00281053", "DS", "2"), table("00283010", -100, [1, 2, 65_535])],
  ),
};

const states = Object.entries({ ...subjects, "a film with annotations": drawn, ...greys }).flatMap(
  ([name, subject]) => {
    const made = presentationState(subject);
    return made ? [[name, made] as const] : [];
  },
);

describe.skipIf(isMissing("dciodvfy"))("dciodvfy", () => {
  it.each(states)("accepts the graphics of %s", (_name, state) => {
    const [verdict, ...rest] = verdictOn(state.bytes);
    expect([verdict, rest]).toEqual(["GrayscaleSoftcopyPresentationState", []]);
  });
});

describe("the film's display in a presentation state from Corvet", () => {
  const stateOf = (subject: ResultSubject) => readDicomFile(presentationState(subject)!.bytes);
  const tableOf = (item: DicomElements | undefined) => [item?.numbers("00283002"), item?.numbers("00283006")];

  it("includes the first window with its function", () => {
    const [shown] = stateOf(greys["a sigmoid"]!).items("00283110");
    expect([shown?.numbers("00281050"), shown?.numbers("00281051"), shown?.text("00281056")]).toEqual([
      [2048],
      [1000],
      "SIGMOID",
    ]);
    const [plain] = stateOf(saying(...window)).items("00283110");
    expect([plain?.numbers("00281050"), plain?.has("00281056")]).toEqual([[2048], false]);
  });

  it("includes the modality and VOI tables, also below zero", () => {
    const file = stateOf(greys["tables"]!);
    const [modality] = file.items("00283000");
    expect([...tableOf(modality), modality?.text("00283004")]).toEqual([[4, -4, 16], [0, 10, 65_535, 30], "OD"]);
    expect(tableOf(file.items("00283110")[0]?.items("00283010")[0])).toEqual([
      [3, 20, 16],
      [1, 2, 65_535],
    ]);
    expect([file.has("00281053"), file.has("00281052")]).toEqual([false, false]);
  });

  it("includes a window rather than a table", () => {
    const [shown] = stateOf(saying(...window, table("00283010", 0, [1, 2]))).items("00283110");
    expect([shown?.number("00281050"), shown?.has("00283010")]).toEqual([2048, false]);
  });

  it("includes a table of 65,536 values", () => {
    const entries = Array.from({ length: 65_536 }, (_, index) => index >> 1);
    const [shown] = stateOf(saying(table("00283010", 0, entries))).items("00283110");
    expect(tableOf(shown?.items("00283010")[0])).toEqual([[0, 0, 16], entries]);
  });

  it("includes its inversion", () => {
    const inverse = text("20500020", "CS", "INVERSE");
    const stated = ["MONOCHROME1", "monochrome1"].map((value) => saying(text("00280004", "CS", value)));
    const shapes = [saying(), saying(inverse), ...stated].map((subject) => stateOf(subject).text("20500020"));
    expect(shapes).toEqual(["IDENTITY", "INVERSE", "INVERSE", "INVERSE"]);
  });

  it("is refused if a table of the file is incomplete", () => {
    const cut = (tag: string) => sequence(tag, [us("00283002", 8, 0, 16), bytes("00283006", "OW", wide(1, 2))]);
    expect(presentationState(saying(cut("00283000")))).toBeNull();
    expect(presentationState(saying(cut("00283010")))).toBeNull();
    expect(presentationState(saying(...window, cut("00283010")))).not.toBeNull();
  });
});

describe("a presentation state from Corvet", () => {
  it("draws axes, landmarks, ruler and annotations in the film's pixels, in layers", () => {
    const file = readDicomFile(presentationState(drawn)!.bytes);
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

  it("truncates labels to 1024 bytes, without splitting a character", () => {
    const [length, note] = drawings.set.annotations;
    const annotations = [length!, { ...note!, text: `a${"心".repeat(400)}` }];
    const long = { ...drawn, drawings: { ...drawings, set: { ...drawings.set, annotations } } };
    const labels = readDicomFile(presentationState(long)!.bytes).items("00700001")[2]!.items("00700008");
    expect(labels[1]!.text("00700006")).toBe(`a${"心".repeat(341)}`);
  });

  it("states axes whose sum is the score", () => {
    const axes = { vhs: 9.68, longAxisVertebrae: 5.34, shortAxisVertebrae: 4.34 };
    const readings = drawn.readings.map((one) => ({ ...one, score: one.score && { ...one.score, ...axes } }));
    const file = readDicomFile(presentationState({ ...drawn, readings })!.bytes);
    const said = file
      .items("00700001")[0]!
      .items("00700008")
      .map((item) => item.text("00700006"));
    expect(said).toEqual(expect.arrayContaining(["VHS 9.7 v", "Long 5.3 v", "Short 4.4 v"]));
  });

  it("restores the readings, and is not read as another program's annotations", () => {
    const file = readDicomFile(presentationState(drawn)!.bytes);
    expect(readResultObject(file)).toMatchObject({
      kind: "presentation",
      readings: drawn.readings.map((one) => restoredReading.parse(one)),
    });
    expect(readPresentation(file)).toBeNull();
  });

  it("has no private element if the film is de-identified", () => {
    const state = presentationState({ ...drawn, deidentification: {} })!;
    expect(
      readDicomFile(state.bytes)
        .tags()
        .filter((tag) => Number.parseInt(tag.slice(3, 4), 16) % 2 === 1),
    ).toEqual([]);
    expect(readPresentation(readDicomFile(state.bytes))).toBeNull();
  });

  it("is not created without anything to draw", () => {
    const [reading] = drawn.readings;
    expect(presentationState({ ...drawn, drawings: null, readings: [{ ...reading!, heart: null }] })).toBeNull();
  });
});

const foreign = (...parts: Parameters<typeof foreignPresentation>) => readDicomFile(foreignPresentation(...parts));
const pointsOf = (file: ReturnType<typeof foreign>) =>
  readPresentation(file)!.films[0]!.marks.map(({ points }) => points);
const half = (x: number, y: number) => ({ x: x - 0.5, y: y - 0.5 });

describe("a presentation state of another program", () => {
  it("is read with its lines and texts", () => {
    const label = labelAt(30, 40, "Erguß");
    expect(readPresentation(foreign([graphic("POLYLINE", "PIXEL", 1, 2, 3, 4)], [label]))).toEqual({
      ...{ sopInstanceUid: "1.2.9.1", label: "REPORT", at: null },
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

  it("is read with circles and ellipses as lines", () => {
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
    ["unrotated", [], [50, 75], [1, 1], [200, 100]],
    ["flipped", [text("00700041", "CS", "Y"), us("00700042", 0)], [150, 75], [200, 1], [1, 100]],
    ["90° rotated", [text("00700041", "CS", "N"), us("00700042", 90)], [150, 75], [1, 100], [200, 1]],
    ["180° rotated", [text("00700041", "CS", "N"), us("00700042", 180)], [150, 25], [200, 100], [1, 1]],
    ["270° rotated and flipped", [text("00700041", "CS", "Y"), us("00700042", 270)], [50, 75], [200, 100], [1, 1]],
  ] as const)(
    "is mapped from the %s display to the picture, in either order of the corners",
    (_how, turned, [x, y], upperLeft, lowerRight) => {
      const mark = [graphic("POINT", "DISPLAY", 0.25, 0.75)];
      expect(pointsOf(foreign(mark, [], turned))).toEqual([[half(x, y)]]);
      expect(pointsOf(foreign(mark, [], turned, { corners: [upperLeft, lowerRight] }))).toEqual([[half(x, y)]]);
    },
  );

  it.skipIf(!hasTool("dcmconv"))("is read alike in implicit VR", () => {
    const label = labelAt(30, 40, "a\\b");
    const boxed = [
      text("00700003", "CS", "DISPLAY"),
      text("00700006", "ST", "box"),
      floats("00700010", 0.25, 0.75),
      floats("00700011", 0.5, 1),
    ];
    const lines = [graphic("POLYLINE", "PIXEL", 1, 2, 3, 4), graphic("POINT", "DISPLAY", 0.25, 0.75)];
    const named = foreignPresentation(lines, [label, boxed], [text("00700041", "CS", "N"), us("00700042", 90)]);
    const marks = readPresentation(readDicomFile(madeBy("dcmconv", ["+ti", "IN", "OUT"], named)))!.films[0]!.marks;
    expect(marks).toEqual([
      { points: [half(1, 2), half(3, 4)], text: null },
      { points: [half(150, 75)], text: null },
      { points: [half(30, 40)], text: "a\\b" },
      { points: [half(150, 75)], text: "box" },
    ]);
  });

  it("is read with each annotation on the films and frames to which it refers", () => {
    const image = (uid: string, ...frames: readonly string[]) => [
      text("00081155", "UI", uid),
      ...frames.map((frame) => text("00081160", "IS", frame)),
    ];
    const point = (column: number, ...images: readonly Written[][]) => [
      ...(images.length > 0 ? [sequence("00081140", ...images)] : []),
      sequence("00700009", graphic("POINT", "PIXEL", column, 5)),
    ];
    const file = dataSet(
      text("00080016", "UI", "1.2.840.10008.5.1.4.1.1.11.1"),
      text("00080018", "UI", "1.2.9.1"),
      sequence("00081115", [sequence("00081140", image("1.2.3.5"), image("1.2.3.6", "1\\2"))]),
      sequence("00700001", point(10.5, image("1.2.3.5")), point(20.5, image("1.2.3.6", "2")), point(30.5)),
    );
    const { films } = readPresentation(readDicomFile(partTen("1.2.840.10008.1.2.1", file)))!;
    expect(
      films.map(({ sopInstanceUid, frameNumber, marks }) => [
        sopInstanceUid,
        frameNumber,
        marks.flatMap(({ points }) => points.map(({ x }) => x)),
      ]),
    ).toEqual([
      ["1.2.3.5", 1, [10, 30]],
      ["1.2.3.6", 1, [30]],
      ["1.2.3.6", 2, [20, 30]],
    ]);
  });

  it("is ignored if it draws nothing that can be shown", () => {
    expect(readPresentation(foreign([graphic("POLYLINE", "MATRIX", 1, 2, 3, 4)]))).toBeNull();
    expect(readPresentation(foreign([graphic("POINT", "DISPLAY", 0.5, 0.5)], [], [], { corners: [] }))).toBeNull();
    expect(readPresentation(foreign([graphic("SPIRAL", "PIXEL", 1, 2)]))).toBeNull();
    expect(readPresentation(foreign([graphic("POLYLINE", "PIXEL", 1, 2, Infinity, 4)]))).toBeNull();
  });
});
