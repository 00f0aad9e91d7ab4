import type { Generated } from "kysely";
import type { LedgerEvent } from "../../core/billing/ledger-event.ts";
import type { MeteredService } from "../../core/billing/tariff.ts";
import type { ConfidenceTier } from "../../core/cardiac/confidence.ts";
import type { Actor, AuditAction } from "../../core/people/audit-actions.ts";
import type { Role } from "../../core/people/roles.ts";
import type { RiskTier } from "../../core/usg/risk-tiers.ts";
import type { Flag, Json } from "./columns.ts";
import type { FilmTables } from "./films/film-tables.ts";

// Tables created by the migrations, whose constraints enforce these types, with the camelCase names used in queries.
// Times are UTC [ms].

type Accounts = { id: string; name: string; nameNfc: string; createdAtMs: number };

type ApiKeys = {
  id: string;
  accountId: string;
  name: string;
  keySha256: Buffer;
  createdAtMs: number;
  lastUsedAtMs: number | null;
  revokedAtMs: number | null;
  enterpriseSingleCents: number | null;
  enterpriseSessionCents: number | null;
};

type Measurements = {
  id: Generated<number>;
  callId: string;
  photoIndex: number;
  isBest: Flag;
  accountId: string;
  keyId: string | null;
  service: MeteredService;
  uuid: string | null;
  uuidNfc: string | null;
  atMs: number;
  imageSha256: string;
  packName: string;
  packVersion: string;
  modelVersion: string;
  programVersion: string;
  parameters: Json;
  widthPx: number;
  heightPx: number;
  classifierConfidence: number;
  resultCode: number;
  vhs: number | null;
  vlas: number | null;
  spread: number | null;
  tier: ConfidenceTier | null;
  popDetected: Flag;
  sharpness: number | null;
  landmarks: Json | null;
  rulerKind: string | null;
  rulerEdges: Json | null;
  edges: Json | null;
  corners: Json | null;
  votes: Json | null;
  outline: Json | null;
  intervals: Json | null;
};

type Ledger = LedgerEvent & { uuidNfc: string | null };

type MonthlyVolumes = { accountId: string; period: string; calls: number };
type UndeliveredCharges = { callId: string; seq: number; answerUntilMs: number | null; machineId: string | null };
type Machines = { id: string; name: string; programVersion: string; seenAtMs: number };
type ValueSeals = {
  seq: number;
  source: "measurements" | "readings" | "usg_predictions" | "audit_events" | "annotations";
  rowKey: string;
  previousHash: string;
  hash: string;
};
type ErasedRows = { subject: string; pseudonym: string; found: string | null };
type Erasing = { pseudonym: string };
type Settings = { key: string; value: Json };
type Migrations = { name: string; sha256: string; appliedAtMs: number };

type AuditEvents = {
  seq: number;
  atMs: number;
  action: AuditAction;
  via: Actor["via"];
  personId: string | null;
  who: string | null;
  patientId: string | null;
  subject: string | null;
  detail: Json;
};

type People = {
  id: string;
  name: string;
  role: Role;
  /** argon2id, PHC format. */
  secretHash: string;
  createdAtMs: number;
  retiredAtMs: number | null;
  /** Consecutive failed attempts. */
  wrongSecrets: Generated<number>;
  waitUntilMs: Generated<number>;
};

type PopSessions = {
  id: string;
  keyId: string;
  accountId: string;
  uuid: string | null;
  startedAtMs: number;
  framesProcessed: Generated<number>;
  consecutiveFailures: Generated<number>;
  endedAtMs: number | null;
  terminalBody: Json | null;
};

type PopSessionFrames = { sessionId: string; frameIndex: number; measurement: Json; film: Buffer | null };

type UsgPredictions = {
  /** Assigned by the database, in the order of insertion. */
  rowid: Generated<number>;
  callId: string;
  accountId: string;
  keyId: string | null;
  uuid: string | null;
  uuidNfc: string | null;
  clinicCode: string | null;
  clinicCodeNfc: string | null;
  atMs: number;
  bunMgPerDl: number;
  creatinineMgPerDl: number;
  haemoglobinGPerDl: number;
  lymphocytesPerUl: number;
  ageMonths: number;
  probabilityImpaired: number;
  riskTier: RiskTier;
  packName: string;
  packVersion: string;
  modelVersion: string;
  programVersion: string;
  result: Json;
  /** Screenings made in the window are not metered. */
  billing: "billed" | "recheck_24h" | "billing_error" | "not_metered";
  thresholdImpaired: number;
  release: Json | null;
};

/** Patient of a screening that was made in the window. */
type ScreenedPatients = { callId: string; patientId: string };

export type Tables = FilmTables & {
  accounts: Accounts;
  apiKeys: ApiKeys;
  auditEvents: AuditEvents;
  erasedRows: ErasedRows;
  erasing: Erasing;
  ledger: Ledger;
  machines: Machines;
  measurements: Measurements;
  migrations: Migrations;
  monthlyVolumes: MonthlyVolumes;
  people: People;
  popSessionFrames: PopSessionFrames;
  popSessions: PopSessions;
  settings: Settings;
  undeliveredCharges: UndeliveredCharges;
  usgPredictions: UsgPredictions;
  screenedPatients: ScreenedPatients;
  valueSeals: ValueSeals;
};
