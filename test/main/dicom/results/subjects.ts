import type { Reading } from "../../../../core/contract/desktop/readings.ts";
import { readDicomFile, type DicomFile } from "../../../../main/dicom/dicom-file.ts";
import type { ResultSubject } from "../../../../main/dicom/results/result-subject.ts";
import { measured } from "../../store/sample-store.ts";
import { dataSet, partTen, sequence, text, us } from "../dicom-writer.ts";

const { heart_top, heart_bottom, heart_right, heart_left, VLAS } = measured.landmarks;

export const proposal: Reading = {
  id: "123e4567-e89b-42d3-a456-426614174000",
  filmId: "film",
  version: 1,
  source: "model",
  verdict: null,
  at: "2026-11-21T09:00:01.250Z",
  who: null,
  remark: "",
  resultCode: 1,
  frame: { widthPx: 1080, heightPx: 900 },
  popDetected: false,
  corners: null,
  heart: { heart_top, heart_bottom, heart_right, heart_left, VLAS },
  edges: [...measured.edges],
  otherCount: null,
  ruler: { edges: [...measured.ruler.edges], kind: "detected" },
  outline: [heart_top, heart_right, heart_bottom, heart_left],
  score: measured.score,
  intervals: { coverage: 0.8, vhs: { low: 9.5, high: 10.75 }, vlas: { low: 2, high: 2.7 } },
  repeatErrors: null,
  tier: "optimal",
  reviewReasons: [],
  spread: 0.003_217,
  sharpness: 0.8,
  classifierConfidence: 0.99,
  votes: [],
  provenance: measured.provenance,
};

export const correction: Reading = {
  ...proposal,
  id: "00000000-0000-4000-8000-000000000001",
  version: 2,
  source: "person",
  verdict: "corrected",
  at: "2026-11-21T09:05:00.000Z",
  who: "Dr. Jürgen Weiß",
  remark: "Größer als 2025,\nKontrolle in 3 Monaten",
  resultCode: null,
  outline: null,
  intervals: null,
  tier: null,
  spread: null,
  sharpness: null,
  classifierConfidence: null,
  provenance: null,
};

export const toReview: Reading = {
  ...proposal,
  resultCode: 3,
  tier: "review",
  ruler: { edges: [...measured.ruler.edges], kind: "fallback" },
  reviewReasons: [
    { kind: "no_score", value: null, limit: null },
    { kind: "fallback_ruler", value: null, limit: null },
    { kind: "spread", value: 0.009_213, limit: 0.008 },
    { kind: "member_scatter", value: 0.171_928_374_650_192, limit: 0.11 },
    { kind: "no_vlas", value: null, limit: null },
    { kind: "axes_angle", value: 62.6, limit: 15 },
    { kind: "short_ruler", value: 5, limit: 5.19 },
    { kind: "geometry", value: null, limit: null },
    { kind: "outside_film", value: null, limit: null },
    { kind: "small_thorax", value: null, limit: null },
    { kind: "film_border", value: null, limit: null },
    { kind: "blurred", value: 0.2034, limit: 0.17 },
    { kind: "pixel_shape", value: null, limit: null },
  ],
};

const byHand: Reading = {
  ...correction,
  verdict: "by_hand",
  version: 1,
  heart: { heart_top, heart_bottom, heart_right, heart_left, VLAS: null },
  ruler: { edges: [...measured.ruler.edges], kind: "fallback" },
  score: { ...measured.score, vlas: null },
};
const nothing = {
  heart: null,
  edges: [],
  otherCount: null,
  ruler: null,
  outline: null,
  score: null,
  intervals: null,
  spread: null,
  sharpness: null,
} as const;
const rejectedByGate: Reading = {
  ...proposal,
  ...nothing,
  edges: [],
  resultCode: 6,
  tier: null,
  classifierConfidence: 0.97,
};

const patient = {
  id: "c0ffee00-0000-4000-8000-000000000002",
  name: "Bello",
  species: "dog",
  breed: "Cavalier",
  owner: "Familie Groß",
  uuid: "P-17",
} as const;
const base: ResultSubject = {
  source: null,
  patient,
  takenAt: new Date("2026-11-20T08:00:00Z"),
  imageSha256: "ab".repeat(32),
  readings: [proposal],
  trend: [
    {
      ...{ at: "2026-05-01T08:00:00Z", vhs: 9, vlas: 2, source: "model" },
      errors: { pack: null, full: { vhs: 0.3, vlas: null }, repeat: null },
    },
  ],
  clinicName: "Tierärztliche Praxis am Weiher",
  programVersion: "0.1.0",
};

export function machineFile(
  change: {
    readonly frames?: number;
    readonly name?: string;
    readonly species?: boolean;
    /** UTC offset. */
    readonly zone?: string;
  } = {},
): DicomFile {
  const coded = (tag: string, value: string, scheme: string, meaning: string) =>
    sequence(tag, [text("00080100", "SH", value), text("00080102", "SH", scheme), text("00080104", "LO", meaning)]);
  const animal =
    change.species === false
      ? []
      : [
          text("00102201", "LO", "Canine"),
          coded("00102202", "448771007", "SCT", "Canis lupus familiaris"),
          text("00102203", "CS", "ALTERED"),
          text("00102292", "LO", "Cavalier King Charles Spaniel"),
          sequence("00102293"),
          sequence("00102294"),
          text("00102297", "PN", "Groß^Maria"),
          text("00102298", "CS", "OWNER"),
        ];
  return readDicomFile(
    partTen(
      "1.2.840.10008.1.2.1",
      dataSet(
        text("00080005", "CS", "ISO_IR 192"),
        text("00080016", "UI", "1.2.840.10008.5.1.4.1.1.1.1"),
        text("00080018", "UI", "1.2.3.4.5"),
        text("00080020", "DA", "20261119"),
        text("00080030", "TM", "081500"),
        text("00080050", "SH", "ACC-1"),
        text("00080090", "PN", "Weber^Anna"),
        ...(change.zone === undefined ? [] : [text("00080201", "SH", change.zone)]),
        text("00081030", "LO", "Thorax lateral"),
        text("00100010", "PN", change.name ?? "Groß^Bello"),
        text("00100020", "LO", "4711"),
        text("00100021", "LO", "PRAXIS"),
        text("00100030", "DA", "20180304"),
        text("00100040", "CS", "M"),
        text("00101010", "AS", "008Y"),
        ...animal,
        text("0020000D", "UI", "1.2.3.4"),
        text("0020000E", "UI", "1.2.3.4.1"),
        text("00200010", "SH", "S1"),
        text("00280008", "IS", String(change.frames ?? 1)),
        us("00280010", 1800),
        us("00280011", 2160),
        sequence("00400275", [text("00401001", "SH", "REQ-9"), text("00321060", "LO", "Thorax")]),
      ),
    ),
  );
}

export const subjects: Readonly<Record<string, ResultSubject>> = {
  "a proposal": base,
  "a correction by a person with umlauts": { ...base, readings: [proposal, correction] },
  "a film to be reviewed": { ...base, readings: [toReview] },
  "a film to be reviewed, accepted": {
    ...base,
    readings: [
      toReview,
      { ...toReview, id: correction.id, version: 2, source: "person", verdict: "accepted", who: "Dr. Weber" },
    ],
  },
  "a Japanese patient": {
    ...base,
    patient: { ...patient, name: "山田 ポチ", owner: "山田 太郎", breed: "柴犬" },
    readings: [proposal, { ...correction, who: "獣医 佐藤" }],
  },
  "overlong texts of odd length": {
    ...base,
    clinicName: "Ü".repeat(201),
    patient: {
      ...patient,
      name: "ß".repeat(119),
      owner: "Ä\\Ö^Ü=".repeat(31),
      breed: "x".repeat(119),
      uuid: "😀".repeat(75),
    },
    readings: [{ ...correction, who: "ø".repeat(99), remark: "Ungerade ü\n\u0000\u001b".repeat(133) }],
  },
  "no patient": { ...base, patient: null },
  "an animal of unknown species": { ...base, patient: { ...patient, species: null, breed: "" } },
  "a cat": { ...base, patient: { ...patient, species: "cat", breed: "", owner: "", uuid: null } },
  "a film measured by hand, without VLAS": { ...base, readings: [byHand] },
  "a film without a VHS": {
    ...base,
    readings: [{ ...toReview, resultCode: 5, score: { ...measured.score, vhs: null, vlas: 1.04 } }],
  },
  "a film that the gate rejected": { ...base, readings: [rejectedByGate] },
  "a film rejected by a user": {
    ...base,
    readings: [
      proposal,
      {
        ...proposal,
        id: correction.id,
        version: 2,
        source: "person",
        verdict: "rejected",
        rejectionReason: "quality",
        who: "Dr. Weber",
        tier: null,
      },
    ],
  },
  "a photograph of a screen": {
    ...base,
    readings: [
      { ...proposal, popDetected: true, corners: [heart_top, heart_left, heart_bottom, heart_right], spread: null },
    ],
  },
  "a film of a modality": { ...base, source: machineFile(), readings: [proposal, correction] },
  "a film of a modality without animal attributes": { ...base, source: machineFile({ species: false }) },
};
