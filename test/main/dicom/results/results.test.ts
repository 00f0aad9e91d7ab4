import { describe, expect, it } from "vitest";
import { reviewReasonKinds } from "../../../../core/cardiac/confidence.ts";
import { readDicomFile } from "../../../../main/dicom/dicom-file.ts";
import { presentationState } from "../../../../main/dicom/presentation/presentation-state.ts";
import { readKeyObjects } from "../../../../main/dicom/presentation/read-key-objects.ts";
import { codes } from "../../../../main/dicom/results/content/codes.ts";
import { keyObjectSelection } from "../../../../main/dicom/results/key-object-selection.ts";
import { measurementReport } from "../../../../main/dicom/results/measurement-report.ts";
import { patientModule } from "../../../../main/dicom/results/modules.ts";
import { restoredReading } from "../../../../main/dicom/results/packed-readings.ts";
import { readResultObject } from "../../../../main/dicom/results/read-result.ts";
import type { ReferencedFilm, ResultSubject } from "../../../../main/dicom/results/result-subject.ts";
import { annotatedCapture, filmCapture } from "../../../../main/dicom/results/secondary-capture.ts";
import { uidOf, uidOfUuid, uuidOfUid } from "../../../../main/dicom/results/uids.ts";
import { dataSet, partTen, sequence, text } from "../dicom-writer.ts";
import { ask, dumpsOf, isMissing, verdictOn } from "./judges.ts";
import { correction, machineFile, proposal, subjects, toReview } from "./subjects.ts";

const size = { widthPx: 2160, heightPx: 1800 };
const window = { centre: 40.5, width: 60 };
const grey = { widthPx: 12, heightPx: 7, bits: 8, window, data: new Uint8Array(84).map((_, index) => index) };
const spacing = { rowMm: 0.1, columnMm: 0.1, kind: "pixel" } as const;
const film: ReferencedFilm = {
  sopClassUid: "1.2.840.10008.5.1.4.1.1.1.1",
  sopInstanceUid: "1.2.3.4.5",
  seriesInstanceUid: "1.2.3.4.1",
  frameNumber: null,
  size,
  pixelAspect: 1,
  said: null,
};
const ofFilm = (subject: ResultSubject) =>
  filmCapture(subject, grey, {
    compression: { ratio: 12.3456 },
    spacing,
    isRectified: subject.readings[0]!.popDetected,
  });
const ofPicture = (subject: ResultSubject) =>
  annotatedCapture(subject, film, { widthPx: 5, heightPx: 3, data: new Uint8Array(45).fill(200) });
const kinds = {
  film: ofFilm,
  picture: ofPicture,
  report: (subject: ResultSubject) => measurementReport(subject, film),
} as const;
const ofKey = (subject: ResultSubject) => keyObjectSelection(subject, film);
/** Subjects that differ in elements of every object; the others differ only in readings, which reports contain. */
const otherAnimals = [
  "a correction by a person with umlauts",
  "a Japanese patient",
  "overlong texts of odd length",
  "no patient",
  "a cat",
  "a photograph of a screen",
  "a film of a modality",
  "a film of a modality without animal attributes",
];
const cases = Object.entries(subjects).flatMap(([name, subject]) =>
  Object.entries(kinds)
    .filter(([kind]) => kind === "report" || otherAnimals.includes(name))
    .map(([kind, make]) => [kind, name, make(subject)] as const),
);
const subject = subjects["a correction by a person with umlauts"]!;

const local = new Date(proposal.at);
const two = (value: number) => String(value).padStart(2, "0");
const onThisMachine = [
  `${local.getFullYear()}${two(local.getMonth() + 1)}${two(local.getDate())}`,
  `${two(local.getHours())}${two(local.getMinutes())}${two(local.getSeconds())}`,
] as const;

const aboutOurCodes =
  /^Warning - Unrecognized defined term <99CORVET> for value 1 of attribute <Coding Scheme Designator>$/;

it("states in each reading of a report whether its change since the previous visit is noise", () => {
  const sentences = (of: ResultSubject) =>
    Buffer.from(measurementReport(of, film).bytes)
      .toString("utf8")
      .match(/since 20[^\0]*? v(, (within|beyond) noise of ±[\d.]+ v)?/g);
  expect(sentences(subject)).toEqual([
    "since 2026-05-01: +1.1 v, within noise of ±1.2 v",
    "since 2026-05-01: +0.3 v",
    "since 2026-05-01: +1.1 v, beyond noise of ±0.9 v",
    "since 2026-05-01: +0.3 v",
  ]);
  expect(sentences({ ...subject, trend: [] })).toBeNull();
  const rlad = {
    ...proposal,
    heart: { ...proposal.heart!, RLAD: { x: 600, y: 330 } },
    score: { ...proposal.score!, rlad: 1.9 },
    intervals: { ...proposal.intervals!, rlad: { low: 1.6, high: 2.2 } },
  };
  const errors = { pack: null, full: { vhs: 0.3, vlas: null, rlad: 0.3 }, repeat: null };
  const trend = subject.trend!.map((point) => ({ ...point, rlad: 1.5, errors }));
  expect(sentences({ ...subject, readings: [rlad], trend })).toEqual([
    "since 2026-05-01: +1.1 v, within noise of ±1.2 v",
    "since 2026-05-01: +0.3 v",
    "since 2026-05-01: +0.4 v",
  ]);
});

it("states the interval of a VHS measured by a user", () => {
  const intervals = (...readings: ResultSubject["readings"]) =>
    Buffer.from(measurementReport({ ...subject, readings }, film).bytes)
      .toString("utf8")
      .match(/Lower end of the interval/g)?.length;
  expect([intervals(proposal), intervals(correction)]).toEqual([2, 1]);
});

describe.skipIf(isMissing("dciodvfy"))("dciodvfy", () => {
  it.each(cases)("accepts the %s of %s", (kind, _name, { bytes }) => {
    const [verdict, ...rest] = verdictOn(bytes, aboutOurCodes);
    expect([verdict, rest]).toEqual([kind === "report" ? "ComprehensiveSR" : "SCImage", []]);
  });
});

describe.skipIf(isMissing("dcmdump"))("dcmdump", () => {
  it("reads every object to its end", () => {
    const { status, dumps } = dumpsOf(cases.map(([, , { bytes }]) => bytes));
    expect([status, dumps.length]).toEqual([0, cases.length]);
    for (const [index, [kind, name, { sopInstanceUid }]] of cases.entries()) {
      expect(dumps[index], `${kind} of ${name}`).toContain(`[${sopInstanceUid}]`);
      expect(dumps[index], `${kind} of ${name}`).toContain(kind === "report" ? "(0040,a730)" : "(7fe0,0010)");
    }
  });

  it("reads names in Japanese", () => {
    const { output } = ask(
      "dcmdump",
      measurementReport(subjects["a Japanese patient"]!, film).bytes,
      "+U8",
      "+P",
      "0010,0010",
      "+P",
      "0010,2297",
      "+P",
      "0010,2292",
    );
    expect(output.match(/\[[^\]]*\]/g)).toEqual(["[山田 ポチ^]", "[山田 太郎^]", "[柴犬]"]);
  });

  it("reads patient, owner, study and order as in the modality's file", () => {
    const { output } = ask("dcmdump", measurementReport(subjects["a film of a modality"]!, film).bytes, "+U8");
    for (const said of [
      "(0010,0010) PN [Groß^Bello]",
      "(0010,0020) LO [4711]",
      "(0010,0021) LO [PRAXIS]",
      "(0010,0030) DA [20180304]",
      "(0010,2201) LO [Canine]",
      "(0010,2203) CS [ALTERED]",
      "(0010,2292) LO [Cavalier King Charles Spaniel]",
      "(0010,2297) PN [Groß^Maria]",
      "(0010,2298) CS [OWNER]",
      "(0008,0050) SH [ACC-1]",
      "(0020,000d) UI [1.2.3.4]",
      "(0020,0010) SH [S1]",
      "(0040,1001) SH [REQ-9]",
    ])
      expect(output).toContain(said);
  });
});

describe.skipIf(isMissing("dsr2html"))("dsr2html", () => {
  it.each(["overlong texts of odd length", "no patient", "a film rejected by a user"])(
    "shows the report of %s",
    (name) => {
      const { status, output } = ask("dsr2html", measurementReport(subjects[name]!, film).bytes, "+U8");
      expect(status).toBe(0);
      expect(output).toContain("Imaging Measurement Report");
    },
  );

  it("shows values with their unit, both readings with user and time, and the notice", () => {
    const { output } = ask("dsr2html", measurementReport(subject, film).bytes, "+U8");
    const text = output.replace(/<[^>]*>/g, " ").replace(/\s+/g, " ");
    for (const said of [
      "Vertebral heart score: 10.123456 {vertebra}",
      "2.345678 {vertebra}",
      "Reading 1, proposal of the program",
      "Reading 2, reading of a user",
      "Dr. Jürgen Weiß",
      "observed: 2026-11-21 09:05:00",
      "Not clinically validated.",
      "Größer als 2025",
    ]) {
      expect(text).toContain(said);
    }
    expect(text).toContain("8.96 to 11.2 vertebrae (Cavalier; mean 2 sd)");
  });

  it("shows the reasons for a review with the page's text, value, unit and limit", () => {
    const { output } = ask("dsr2html", measurementReport(subjects["a film to be reviewed"]!, film).bytes, "+U8");
    const text = output
      .replace(/<[^>]*>/g, " ")
      .replace(/&nbsp;/g, " ")
      .replace(/\s+/g, " ");
    for (const said of [
      "own vertebral heart scores (member-scatter, 99CORVET)",
      "disagree on the score by about 0.172 v, review from 0.11 v.",
      "0.1719283747 {vertebra}",
      "0.11 {vertebra}",
      "spread 0.0092 of the film’s longest side, review from 0.008.",
      "0.009213 1",
      "The networks place the axes at 62.6°, more than 15° from a right angle.",
      "62.6 deg",
    ])
      expect(text).toContain(said);
  });
});

describe("a key object selection", () => {
  const decided = Object.entries(subjects).filter(([, { readings }]) => {
    const verdict = readings.at(-1)!.verdict;
    return verdict !== null && verdict !== "rejected";
  });

  it("is created only for films whose reading a user has confirmed", () => {
    const marked = Object.entries(subjects).filter(([, each]) => ofKey(each) !== null);
    expect(marked.map(([name]) => name)).toEqual(decided.map(([name]) => name));
    expect(marked.length).toBeGreaterThan(1);
    expect(marked.length).toBeLessThan(Object.keys(subjects).length);
  });

  it("lists the film in its study as a key film", () => {
    const list = readKeyObjects(readDicomFile(ofKey(subjects["a correction by a person with umlauts"]!)!.bytes))!;
    expect([list.title, list.description]).toEqual(["Of Interest", "Film with a corrected heart measurement"]);
    expect(list.films).toEqual([
      {
        studyInstanceUid: expect.stringMatching(/^2\.25\./),
        seriesInstanceUid: film.seriesInstanceUid,
        sopInstanceUid: film.sopInstanceUid,
      },
    ]);
  });

  it.skipIf(isMissing("dciodvfy")).each(decided)("of %s is accepted by dciodvfy", (_name, each) => {
    const [verdict, ...rest] = verdictOn(ofKey(each)!.bytes, aboutOurCodes);
    expect([verdict, rest]).toEqual(["KeyObjectSelectionDocument", []]);
  });

  it.skipIf(isMissing("dsrdump")).each(decided.slice(0, 2))(
    "of %s is read by dsrdump without an error",
    (_name, each) => {
      const { status, output, lines } = ask("dsrdump", ofKey(each)!.bytes, "+U8");
      expect([status, lines.filter((line) => /^[EF]: /.test(line))]).toEqual([0, []]);
      expect(output).toMatch(/^Key Object Selection Document$/m);
    },
  );
});

describe("a result", () => {
  it("is the same object if it is created twice, and another one with other content", () => {
    const [one, again] = [measurementReport(subject, film), measurementReport(subject, film)];
    expect(Buffer.from(one.bytes).equals(again.bytes)).toBe(true);
    const other = measurementReport({ ...subject, readings: [proposal] }, film);
    expect([other.sopInstanceUid === one.sopInstanceUid, other.seriesInstanceUid === one.seriesInstanceUid]).toEqual([
      false,
      true,
    ]);
  });

  it("refers to the film in its study", () => {
    const file = readDicomFile(ofPicture(subjects["a film of a modality"]!).bytes);
    const source = file.items("00082112")[0]!;
    expect([
      file.text("0020000D"),
      source.text("00081150"),
      source.text("00081155"),
      file.text("00280301"),
      file.text("00080064"),
    ]).toEqual(["1.2.3.4", film.sopClassUid, film.sopInstanceUid, "YES", "WSD"]);
    const report = readDicomFile(
      measurementReport(subjects["a film of a modality"]!, { ...film, frameNumber: 3 }).bytes,
    );
    const evidence = report.items("0040A375")[0]!;
    expect([
      evidence.text("0020000D"),
      evidence.items("00081115")[0]!.text("0020000E"),
      evidence.items("00081115")[0]!.items("00081199")[0]!.text("00081155"),
    ]).toEqual(["1.2.3.4", "1.2.3.4.1", "1.2.3.4.5"]);
    expect(readResultObject(report)!.film.frameNumber).toBe(3);
  });

  it("keeps the breed registration of the film", () => {
    const registry = sequence("00102296", [text("00080100", "SH", "VDH")]);
    const registration = sequence("00102294", [text("00102295", "LO", "VDH-1"), registry]);
    const source = readDicomFile(partTen("1.2.840.10008.1.2.1", dataSet(registration)));
    expect(patientModule({ ...subject, source })["00102294"]!.Value).toMatchObject([
      { "00102295": { Value: ["VDH-1"] }, "00102296": { Value: [{ "00080100": { Value: ["VDH"] } }] } },
    ]);
  });

  it("keeps the pixels of a deep film", () => {
    const deep = {
      ...grey,
      bits: 12,
      data: new Uint8Array(Uint16Array.from({ length: 84 }, (_, index) => index * 40).buffer),
    };
    const file = readDicomFile(
      filmCapture(subject, deep, { compression: null, spacing: null, isRectified: false }).bytes,
    );
    expect([
      file.number("00280010"),
      file.number("00280011"),
      file.number("00280100"),
      file.number("00280101"),
      file.number("00280102"),
      file.text("00282110"),
    ]).toEqual([7, 12, 16, 12, 11, "00"]);
    expect(file.pixelData).toMatchObject({ kind: "native" });
    expect(Buffer.from((file.pixelData as { bytes: Uint8Array }).bytes).equals(deep.data)).toBe(true);
  });

  it("states a detector's spacing as Imager Pixel Spacing", () => {
    const ofDetector = { compression: null, spacing: { ...spacing, kind: "imager" }, isRectified: false } as const;
    const file = readDicomFile(filmCapture(subject, grey, ofDetector).bytes);
    expect([file.numbers("00181164"), file.has("00280030")]).toEqual([[0.1, 0.1], false]);
  });

  it.each([
    ["in the time zone of a film with a UTC offset", "-0930", "20261120", "233001"],
    ["in the time zone of this computer for an invalid UTC offset", "9", ...onThisMachine],
    ["in the time zone of this computer without a UTC offset", undefined, ...onThisMachine],
  ])("states its own time %s, and the film's time unchanged", (_which, zone, date, time) => {
    const source = machineFile(zone === undefined ? {} : { zone });
    const of = { ...subject, source, readings: [proposal], takenAt: new Date(proposal.at) };
    const times = [
      [measurementReport(of, film), "00080023", "00080033"],
      [ofPicture(of), "00080023", "00080033"],
      [ofFilm(of), "00080023", "00080033"],
      [presentationState(of, film)!, "00700082", "00700083"],
    ] as const;
    for (const [{ bytes }, ...own] of times) {
      const file = readDicomFile(bytes);
      expect(["00080201", "00080020", "00080030", ...own].map((tag) => file.text(tag))).toEqual([
        ...[zone ?? null, "20261119", "081500"],
        ...[date, time],
      ]);
    }
  });

  it("contains no values for a rejected film or one without a VHS", () => {
    for (const name of ["a film that the gate rejected", "a film rejected by a user", "a film without a VHS"]) {
      const counting = readResultObject(readDicomFile(measurementReport(subjects[name]!, film).bytes))!.readings.at(
        -1,
      )!;
      expect([counting.heart, counting.score, counting.edges, counting.ruler]).toEqual([null, null, [], null]);
    }
  });

  it("states the reason for which a user rejected a film", () => {
    const report = measurementReport(subjects["a film rejected by a user"]!, film).bytes;
    expect(Buffer.from(report).includes("Poor image quality")).toBe(true);
    expect(readResultObject(readDicomFile(report))!.readings.map(({ rejectionReason }) => rejectionReason)).toEqual([
      undefined,
      "quality",
    ]);
  });

  it("states the same reference range as the page", () => {
    const says = (change: Partial<ResultSubject>, words: string) =>
      Buffer.from(measurementReport({ ...subject, ...change }, film).bytes).includes(words);
    const unknown = { ...subject.patient!, species: null, breed: "" };
    const told = [
      says({ patient: null, animalInFile: { species: "cat", breed: null } }, "(cats in general; published limits)"),
      says({ patient: unknown, animalInFile: { species: "dog", breed: "Pug" } }, "10.1 to 12.8 vertebrae (Pug;"),
      says({ patient: unknown }, "(species unknown, dogs in general; published limits)"),
      says({ patient: { ...unknown, species: "dog" } }, "below 2.5 vertebrae (dogs in general; published limits)"),
      says({ animalInFile: { species: "cat", breed: null } }, "cats in general"),
    ];
    expect(told).toEqual([true, true, true, true, false]);
  });

  it("omits the notice only for validated packs", () => {
    const validated = { ...proposal, provenance: { ...proposal.provenance!, isClinicallyValidated: true } };
    const says = (readings: ResultSubject["readings"]) =>
      Buffer.from(measurementReport({ ...subject, readings }, film).bytes).includes("Not clinically validated.");
    expect([says([proposal]), says([validated]), says([validated, correction]), says([correction])]).toEqual([
      true,
      false,
      false,
      true,
    ]);
  });

  it("names who released a pack", () => {
    const release = { publisher: "Example Ltd", fingerprint: "SHA256:abc", releasedBy: "Dr. Jane Doe" };
    const provenance = { ...proposal.provenance!, isClinicallyValidated: true, release };
    const { bytes } = measurementReport({ ...subject, readings: [{ ...proposal, provenance }] }, film);
    expect(Buffer.from(bytes).includes("released by Dr. Jane Doe, Example Ltd (key SHA256:abc).")).toBe(true);
  });
});

describe("the annotated picture", () => {
  const release = { publisher: "Example Ltd", fingerprint: "SHA256:abc", releasedBy: "Dr. Jane Doe" };
  const of = (change: object) => ({ ...proposal, provenance: { ...proposal.provenance!, ...change } });

  it.each([
    ["is not clinically validated", of({}), "not clinically validated"],
    ["is clinically validated without a release", of({ isClinicallyValidated: true }), "clinically validated"],
    [
      "is clinically validated with a release",
      of({ isClinicallyValidated: true, release }),
      "clinically validated, released by Dr. Jane Doe (Example Ltd)",
    ],
  ])("states that a pack %s", (_what, reading, said) => {
    const { bytes } = ofPicture({ ...subject, readings: [reading, reading] });
    expect(
      readDicomFile(bytes)!
        .text("00082111")
        ?.replace(/^.* by Corvet \S+, /, ""),
    ).toBe(said);
  });
});

describe("reading a result", () => {
  const [restored, restoredCorrection] = [restoredReading.parse(proposal), restoredReading.parse(correction)];
  const about = { film: { sopInstanceUid: film.sopInstanceUid, frameNumber: 1, ...size } };

  it("restores the readings from the annotated picture unchanged", () => {
    const { sopInstanceUid, bytes } = ofPicture(subject);
    expect(readResultObject(readDicomFile(bytes))).toEqual({
      kind: "picture",
      sopInstanceUid,
      ...about,
      readings: [restored, restoredCorrection],
    });
  });

  it("restores them from the report's content items, points to a hundredth of a pixel", () => {
    const { sopInstanceUid, bytes } = measurementReport(subject, film);
    const found = readResultObject(readDicomFile(bytes))!;
    const near = (value: unknown): unknown =>
      JSON.parse(
        JSON.stringify(value, (key, part: unknown) =>
          typeof part === "number" && !["vhs", "vlas", "spread"].includes(key) ? Math.round(part * 100) / 100 : part,
        ),
      );
    const recomputed = (reading: typeof restored) => ({
      ...reading,
      score: { ...reading.score!, axesAngleDeg: 83.48 },
    });
    expect(near(found)).toEqual(
      near({
        kind: "report",
        sopInstanceUid,
        ...about,
        readings: [recomputed(restored), recomputed(restoredCorrection)],
      }),
    );
  });

  it("restores every review reason from report and picture, with all digits, for proposal and acceptance", () => {
    const accepted = subjects["a film to be reviewed, accepted"]!;
    for (const { bytes } of [measurementReport(accepted, film), ofPicture(accepted)]) {
      expect(readResultObject(readDicomFile(bytes))!.readings.map(({ reviewReasons }) => reviewReasons)).toEqual([
        toReview.reviewReasons,
        toReview.reviewReasons,
      ]);
    }
    expect(toReview.reviewReasons.map(({ kind }) => kind).sort()).toEqual([...reviewReasonKinds].sort());
  });

  it("restores the time at which a later decision was undone, from report and picture", () => {
    const undone = { ...subject, readings: [{ ...correction, undoneAt: "2026-11-21T10:00:00.250Z" }] };
    for (const { bytes } of [measurementReport(undone, film), ofPicture(undone)])
      expect(readResultObject(readDicomFile(bytes))!.readings[0]!.undoneAt).toBe("2026-11-21T10:00:00.250Z");
  });

  it("ignores the claim of a picture that a pack is clinically validated", () => {
    const picture = Buffer.from(ofPicture(subject).bytes);
    picture.write('"isClinicallyValidated":true ', picture.indexOf('"isClinicallyValidated":false'));
    expect(readResultObject(readDicomFile(picture))!.readings[0]).toEqual(restored);
    const release = { publisher: "Example Ltd", fingerprint: "SHA256:abc", releasedBy: "Dr. Jane Doe" };
    const claimed = { ...proposal.provenance!, isClinicallyValidated: true, release };
    expect(restoredReading.parse({ ...proposal, provenance: claimed })).toEqual(restored);
  });

  it("skips a review reason of a later version, and restores the rest", () => {
    const bytes = Buffer.from(measurementReport(subjects["a film to be reviewed"]!, film).bytes);
    bytes.write("xxxxxx-scatter", bytes.indexOf("member-scatter"));
    const kinds = readResultObject(readDicomFile(bytes))!.readings[0]!.reviewReasons.map(({ kind }) => kind);
    expect(kinds).toEqual(toReview.reviewReasons.map(({ kind }) => kind).filter((kind) => kind !== "member_scatter"));
  });

  it("returns null for the film itself, rectified or not, and for a modality's object", () => {
    expect([
      readResultObject(readDicomFile(ofFilm(subject).bytes)),
      readResultObject(readDicomFile(ofFilm(subjects["a photograph of a screen"]!).bytes)),
      readResultObject(machineFile()),
    ]).toEqual([null, null, null]);
  });

  it("recognises pictures and presentation states with damaged or missing private elements", () => {
    const picture = Buffer.from(ofPicture(subject).bytes);
    picture.write('"readinks"', picture.indexOf('"readings"'));
    const nameless = { ...subject, deidentification: {} };
    const without = [picture, ofPicture(nameless).bytes, presentationState(nameless, film)!.bytes].map(readDicomFile);
    expect(without.map(readResultObject)).toMatchObject(
      ["picture", "picture", "presentation"].map((kind) => ({
        ...{ kind, film: { sopInstanceUid: "1.2.3.4.5", frameNumber: 1 }, readings: [] },
      })),
    );
  });
});

describe("identifiers", () => {
  it("convert a UUID to a UID and back", () => {
    const uuid = "f81d4fae-7dec-11d0-a765-00a0c91e6bf6";
    expect([uidOfUuid(uuid), uuidOfUid(uidOfUuid(uuid)), uuidOfUid("1.2.3")]).toEqual([
      "2.25.329800735698586629295641978511506172918",
      uuid,
      null,
    ]);
    expect(uidOf("a", "bc")).not.toBe(uidOf("ab", "c"));
    expect(uidOf("a")).toMatch(/^2\.25\.\d{1,39}$/);
  });

  it("of codes are unique and fit into their elements", () => {
    for (const [value, scheme, meaning] of Object.values(codes))
      expect([value.length <= 16, scheme.length <= 16, meaning.length <= 64]).toEqual([true, true, true]);
    const names = Object.values(codes).map(([value, scheme]) => `${scheme} ${value}`);
    expect(new Set(names).size).toBe(names.length);
  });
});
