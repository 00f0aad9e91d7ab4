import { expect, test } from "vitest";
import type { ConfidenceTier } from "../../../core/cardiac/confidence.ts";
import type { DicomInstance } from "../../../core/contract/desktop/network/dicom-instance.ts";
import type { Film } from "../../../core/contract/desktop/films.ts";
import type { ReadingSummary } from "../../../core/contract/desktop/readings.ts";
import { noVerdictFacts } from "../../../core/cardiac/verdict/verdict-facts.ts";
import { groupFilms } from "../../../renderer/worklist/study-groups.ts";

const reading: ReadingSummary = {
  readingId: "r",
  version: 1,
  vhs: 10,
  vlas: 2,
  facts: { ...noVerdictFacts, tier: "optimal" },
  resultCode: 1,
  source: "model",
  verdict: null,
  popDetected: false,
  areAxesPerpendicular: true,
  spread: 0.003,
  sharpness: 0.5,
};
const of = (tier: ConfidenceTier | null) => ({ facts: { ...noVerdictFacts, tier } });
const lateral = {
  seriesNumber: 1,
  instanceNumber: 1,
  isRadiograph: true,
  viewPosition: "LL",
  bodyPart: null,
  patient: { species: "dog" },
} as const;
const film = (
  id: string,
  place: Partial<
    Pick<DicomInstance, "studyInstanceUid" | "seriesInstanceUid" | "seriesNumber" | "instanceNumber" | "viewPosition">
  > | null,
  said: Partial<ReadingSummary> | null = {},
) =>
  ({
    id,
    fileName: id,
    frameIndex: 0,
    dicom: place && { studyInstanceUid: null, ...lateral, ...place },
    reading: said && { ...reading, ...said },
  }) as Film;

test("groups films of a study at the position of the first, ordered by series and instance", () => {
  const groups = groupFilms([
    film("jpeg", null),
    film("c", { studyInstanceUid: "1", seriesNumber: 2 }),
    film("lone", { studyInstanceUid: "2" }),
    film("b", { studyInstanceUid: "1", instanceNumber: 10 }),
    film("a", { studyInstanceUid: "1", instanceNumber: 9 }),
  ]);
  expect(groups.map(({ kind, films }) => [kind, films.map(({ id }) => id)])).toEqual([
    ["film", ["jpeg"]],
    ["study", ["a", "b", "c"]],
    ["film", ["lone"]],
  ]);
});

test("separates films of one study by patient, or by the animal named in the file", () => {
  const filmOf = (id: string, patientId: string | null, name: string, vhs: number) => {
    const { dicom, ...rest } = film(id, { studyInstanceUid: "1" }, { vhs });
    const named = { ...dicom, patient: { ...lateral.patient, uuid: null, name } };
    return { ...rest, dicom: named, patient: patientId === null ? null : { id: patientId } } as unknown as Film;
  };
  const groups = groupFilms([
    filmOf("rex 1", "rex", "Rex", 10),
    filmOf("bella", "bella", "Rex", 14),
    filmOf("rex 2", "rex", "Rex", 10.2),
    filmOf("unassigned 1", null, "Minka", 9),
    filmOf("unassigned 2", null, "Minka", 9),
    filmOf("unassigned 3", null, "Felix", 9),
  ]);
  expect(groups.map(({ films }) => films.map(({ id }) => id))).toEqual([
    ["rex 1", "rex 2"],
    ["bella"],
    ["unassigned 1", "unassigned 2"],
    ["unassigned 3"],
  ]);
});

test("finds the best film of a study, and the tier if the scatter of the films lowers it", () => {
  const placed = { ...of(null), source: "person", resultCode: null, spread: null, verdict: "by_hand" } as const;
  const headOf = (...said: Partial<ReadingSummary>[]) => {
    const [group] = groupFilms(
      said.map((each, index) => film(String(index), { studyInstanceUid: "1", instanceNumber: index }, each)),
    );
    return group?.kind === "study" && [group.best?.id, group.scatterTier];
  };
  expect([
    headOf(placed, placed),
    headOf(of("good"), placed),
    headOf({}, { vhs: 10.1 }),
    headOf({}, { vhs: 10.6 }),
    headOf({}, { vhs: 12 }),
    headOf({ vhs: null }, { vhs: null }),
  ]).toEqual([
    ["0", null],
    ["1", null],
    ["0", null],
    ["0", "good"],
    ["0", "review"],
    [undefined, null],
  ]);
});

test("keeps series without numbers together", () => {
  const place = (seriesInstanceUid: string, instanceNumber: number) => ({
    studyInstanceUid: "1",
    seriesInstanceUid,
    seriesNumber: null,
    instanceNumber,
  });
  const [group] = groupFilms([
    film("1.2", place("1.1", 2)),
    film("2.1", place("1.9", 1)),
    film("1.1", place("1.1", 1)),
    film("10.1", place("1.10", 1)),
  ]);
  expect(group?.films.map(({ id }) => id)).toEqual(["1.1", "1.2", "2.1", "10.1"]);
});

test.each(["corrected", "accepted"] as const)(
  "ignores rejected and unmeasured films of a study, and prefers placed points for the best film (%s)",
  (verdict) => {
    const study = (instanceNumber: number) => ({ studyInstanceUid: "1", instanceNumber });
    const [group] = groupFilms([
      film("good", study(1), { vhs: 10.2, ...of("good") }),
      film("placed", study(2), { vhs: 10.6, ...of(null), source: "person", resultCode: null, spread: null, verdict }),
      film("optimal", study(3), { vhs: 10.4 }),
      film("rejected", study(4), { vhs: 14, verdict: "rejected" }),
      film("unmeasured", study(5), null),
      film("measured anyway", { ...study(6), viewPosition: "VD" }, { vhs: 12.5 }),
    ]);
    expect(
      group?.kind === "study" && [
        group.measured,
        group.summary.medianVhs,
        group.films[group.summary.bestIndex ?? -1]?.id,
      ],
    ).toEqual([3, 10.4, "placed"]);
  },
);

test("does not select an accepted but doubtful film as the best one", () => {
  const study = (instanceNumber: number) => ({ studyInstanceUid: "1", instanceNumber });
  const accepted = { ...of(null), source: "person", verdict: "accepted" } as const;
  const [group] = groupFilms([
    film("doubtful", study(1), { ...accepted, resultCode: 3 }),
    film("fair", study(2), { ...accepted, resultCode: 2 }),
  ]);
  expect(group?.kind === "study" && [group.films[group.summary.bestIndex ?? -1]?.id, group.summary.vhsTier]).toEqual([
    "fair",
    "good",
  ]);
});
