import type { Generated } from "kysely";
import type { ConfidenceTier } from "../../../core/cardiac/confidence.ts";
import type { Flag, Json } from "../columns.ts";

type Patients = {
  id: string;
  name: string;
  species: "dog" | "cat" | null;
  breed: string;
  owner: string;
  uuid: string | null;
  uuidNfc: string | null;
  microchip: string | null;
  sex: "male" | "female" | null;
  isNeutered: Flag | null;
  birthDate: string | null;
  weightKg: number | null;
  createdAtMs: number;
  lastSeenAtMs: number;
};

type PatientAliases = { uuidNfc: string; uuid: string; patientId: string };

type Films = {
  /** Assigned by the database, in the order of insertion. */
  rowid: Generated<number>;
  id: string;
  fileName: string;
  sha256: string;
  origin: string;
  addedAtMs: number;
  takenAtMs: number;
  patientId: string | null;
  state: string;
  queueNumber: number | null;
  failureCode: string | null;
  failureMessage: string | null;
  widthPx: number;
  heightPx: number;
  hasImage: Flag;
  hasRectified: Generated<Flag>;
  removedAtMs: number | null;
  frameIndex: Generated<number>;
  place: Generated<number>;
  /** Workstation that measures it. */
  machineId: Generated<string | null>;
};

type FilmImages = {
  sha256: string;
  frameIndex: number;
  image: string;
  part: number;
  bytes: Buffer;
  savedAtMs: Generated<number>;
};

type Readings = {
  id: string;
  filmId: string;
  version: number;
  source: "model" | "person";
  verdict: "accepted" | "rejected" | "corrected" | "by_hand" | null;
  atMs: number;
  who: string | null;
  remark: string;
  /** null if a user placed the points: the code describes the networks. */
  resultCode: number | null;
  tier: ConfidenceTier | null;
  /** Points, ruler, score, votes and provenance, in the shape of the desktop contract's reading. */
  detail: Json;
};

type ReadingValues = { readingId: string; measure: string; value: number };
type Annotations = {
  id: string;
  filmId: string;
  version: number;
  atMs: number;
  who: string | null;
  content: Json;
};

type DicomInstances = {
  filmId: string;
  sopInstanceUid: string | null;
  studyInstanceUid: string | null;
  seriesInstanceUid: string | null;
  facts: Json;
  shape: string;
};

type DicomPatients = { uuid: string; patientId: string; name: string; number: string | null };
type WaitingResults = {
  sopInstanceUid: string;
  filmSopInstanceUid: string;
  frameIndex: number;
  readings: Json;
  isExact: Generated<number>;
};

type SetAsideObjects = {
  id: string;
  fileName: string;
  receivedAtMs: number;
  sender: string | null;
  facts: Json | null;
  failure: Json;
  /** Workstation that has its file. */
  machineId: string | null;
};

type WatchedFiles = {
  pathSha256: string;
  sizeBytes: number;
  changedAtMs: number;
  outcome: "opened" | "failed" | "passed-over";
  atMs: number;
};
type WatchedFilms = { filmId: string; writtenFingerprint: string | null; machineId: string | null };
type OpenFilms = { filmId: string; machineId: string; who: string | null; sinceMs: number };

export type FilmTables = {
  annotations: Annotations;
  dicomInstances: DicomInstances;
  dicomPatients: DicomPatients;
  filmImages: FilmImages;
  films: Films;
  openFilms: OpenFilms;
  patientAliases: PatientAliases;
  patients: Patients;
  readingValues: ReadingValues;
  readings: Readings;
  setAsideObjects: SetAsideObjects;
  waitingResults: WaitingResults;
  watchedFiles: WatchedFiles;
  watchedFilms: WatchedFilms;
};
