import { mkdtempSync, rmSync } from "node:fs";
import path from "node:path";
import { afterAll, expect } from "vitest";
import { folderForFile } from "../../../fixtures/folders.ts";
import { networkLimits } from "../../../../main/dicom/network/network-limits.ts";
import { startReceiver, type Receiver } from "../../../../main/dicom/network/receiving/receiver.ts";
import type { AssociationReport, ReceiverOptions } from "../../../../main/dicom/network/receiving/receiver-calls.ts";
import { waitUntil } from "../../../fixtures/patience.ts";
import { filesIn } from "./dcmtk.ts";
import { associateRequest, connectRaw, pduTypes, type RawAssociation } from "./raw-association.ts";

export type ReceiverBench = {
  readonly port: number;
  readonly folder: string;
  readonly reports: AssociationReport[];
  readonly received: string[];
  readonly failures: string[];
  readonly receiver: Receiver;
};

export const narrow = { ...networkLimits, objectBytes: 100_000, connections: 4 };

export const openToAll = (folder: string): ReceiverOptions => ({
  addresses: ["127.0.0.1"],
  encryption: null,
  port: 0,
  aeTitle: "CORVET",
  allowedAeTitles: null,
  allowedAddresses: null,
  folder,
  limits: networkLimits,
});

export type Receivers = {
  readonly folder: string;
  /** Opens a receiver with these options; reuses that of the last call, emptied, if its options are the same. */
  open(options?: Partial<ReceiverOptions>): Promise<ReceiverBench>;
  start(options: Partial<ReceiverOptions>): Promise<ReceiverBench>;
};

export function openReceivers(): Receivers {
  const folder = folderForFile();
  let bench: ReceiverBench | undefined;
  let benchOptions = "";
  afterAll(() => bench?.receiver.close());
  const start = (options: Partial<ReceiverOptions>) => startIn(mkdtempSync(path.join(folder, "received-")), options);
  return {
    folder,
    start,
    async open(options = {}) {
      if (bench && benchOptions === JSON.stringify(options)) {
        for (const list of [bench.reports, bench.received, bench.failures]) list.length = 0;
        for (const file of filesIn(bench.folder)) rmSync(file);
        return bench;
      }
      await bench?.receiver.close();
      bench = await start(options);
      benchOptions = JSON.stringify(options);
      return bench;
    },
  };
}

function startIn(folder: string, options: Partial<ReceiverOptions>): Promise<ReceiverBench> {
  const [reports, received, failures]: [AssociationReport[], string[], string[]] = [[], [], []];
  return new Promise((resolve) => {
    const started = (port: number) => resolve({ port, folder, reports, received, failures, receiver });
    const receiver = startReceiver(
      { ...openToAll(folder), ...options },
      {
        received: (fileName) => void received.push(fileName),
        association: (report) => void reports.push(report),
        failed: (fault) => {
          failures.push(fault);
          started(0);
        },
        listening: started,
      },
    );
  });
}

export async function associated({ port }: ReceiverBench): Promise<RawAssociation> {
  const raw = await connectRaw(port);
  raw.send(associateRequest());
  await raw.hear(pduTypes.accept);
  return raw;
}

export async function until(isTrue: () => boolean, what: string): Promise<void> {
  await waitUntil(isTrue).catch(() => expect.unreachable(`waited in vain: ${what}`));
}

export const nothing: AssociationReport = {
  address: "127.0.0.1",
  callingAeTitle: null,
  calledAeTitle: null,
  storedObjects: 0,
  refusedObjects: 0,
  echoes: 0,
  fault: null,
};
