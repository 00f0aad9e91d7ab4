import type { Failure } from "../../../core/contract/desktop/shapes.ts";
import type { DicomReader } from "../../dicom/dicom-reader.ts";
import type { Engine } from "../../inference/engine.ts";
import type { HandoutPrinter } from "../../report/print-handout.ts";
import type { WritableDb } from "../../store/database.ts";
import type { Caller } from "../../store/people/api-keys.ts";
import type { WorkQueue } from "./work-queue.ts";

/** Structured log without patient data. */
export type Log = {
  info(fields: Readonly<Record<string, unknown>>, message: string): void;
  warn(fields: Readonly<Record<string, unknown>>, message: string): void;
  error(fields: Readonly<Record<string, unknown>>, message: string): void;
};

/** Shown to the user although the call succeeded, such as a ledger that cannot be written. */
export type Fault = Failure & {
  /** File concerned. */
  readonly name?: string | undefined;
};

/**
 * `begun`: the charge has been started, and the response has neither left nor failed. `unbilled`: the response reports
 * no charge, but one may exist.
 */
type DeliveryState = "begun" | "delivered" | "lost" | "unbilled";

export type Refused = "key.refused" | "page.refused" | "host.refused";

export type ServiceContext = {
  readonly db: WritableDb;
  readonly engine: Engine;
  readonly queue: WorkQueue;
  readonly dicom: DicomReader;
  readonly handouts: HandoutPrinter;
  /** Charged responses of this process by call id, until the store contains their outcome. */
  readonly deliveries: Map<string, DeliveryState>;
  /** Callers by key hash, with the time of their last verification. */
  readonly callers: Map<string, { readonly caller: Caller; readonly atMs: number }>;
  /** Refused access since the last recorded event. */
  readonly refusals: Map<Refused, { lastRecordedMs: number; waitMs: number; since: number }>;
  readonly now: () => Date;
  readonly log: Log;
  readonly reportFault: (fault: Fault) => void;
  readonly troubles?: () => readonly Failure[];
  readonly programVersion: string;
  readonly dataDir: string;
};
