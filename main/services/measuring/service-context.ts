import type { Failure } from "../../../core/contract/desktop/shapes.ts";
import type { DicomReader } from "../../dicom/dicom-reader.ts";
import type { Engine } from "../../inference/engine.ts";
import type { HandoutPrinter } from "../../report/print-handout.ts";
import type { WritableDb } from "../../store/database.ts";
import type { Deliveries } from "./deliveries.ts";
import type { WorkQueue } from "./work-queue.ts";

/** Structured log without patient data. */
export type Log = {
  info(fields: Readonly<Record<string, unknown>>, message: string): void;
  warn(fields: Readonly<Record<string, unknown>>, message: string): void;
  error(fields: Readonly<Record<string, unknown>>, message: string): void;
};

/** A fault to show to the user although the call succeeded, such as a ledger that cannot be written. */
export type Fault = Failure & {
  readonly at: string;
  /** File that the fault concerns. */
  readonly name?: string | undefined;
};

/** Dependencies of the use cases, created once by the composition root. */
export type ServiceContext = {
  readonly db: WritableDb;
  readonly engine: Engine;
  readonly queue: WorkQueue;
  readonly dicom: DicomReader;
  readonly handouts: HandoutPrinter;
  readonly deliveries: Deliveries;
  readonly now: () => Date;
  readonly log: Log;
  readonly reportFault: (fault: Fault) => void;
  /** Current faults of record, disk or clock; undefined if none of them is monitored. */
  readonly troubles?: () => readonly Failure[];
  readonly programVersion: string;
  readonly dataDir: string;
};
