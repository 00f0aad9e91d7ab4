import type { Duplex } from "node:stream";
import dimse from "dcmjs-dimse";
import { implementation } from "../writing/part-10.ts";
import { networkLimits } from "./network-limits.ts";

// Silence the library: it prints everything it receives, patient data included.
dimse.log.disableAll();
dimse.Implementation.setImplementationClassUid(implementation.classUid);
dimse.Implementation.setImplementationVersion(implementation.version);
dimse.Implementation.setMaxPduLength(networkLimits.pduBytes);

export const { Scp, Dataset, association, constants, requests, responses } = dimse;

type LibrarySocket = ConstructorParameters<typeof Scp>[0];

/** Passes a stream as the socket of an association: the library uses only the stream, `setTimeout` and the events. */
export function librarySocket(stream: Duplex & { setTimeout(): unknown }): LibrarySocket {
  return stream as Duplex as LibrarySocket;
}
