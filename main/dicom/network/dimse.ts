import dimse from "dcmjs-dimse";
import { implementation } from "./part-10.ts";
import { networkLimits } from "./network-limits.ts";

// The library prints what it receives to the console, patients included.
dimse.log.disableAll();
dimse.Implementation.setImplementationClassUid(implementation.classUid);
dimse.Implementation.setImplementationVersion(implementation.version);
dimse.Implementation.setMaxPduLength(networkLimits.pduBytes);

/** The library that speaks DICOM's upper layer and its messages, told who we are and kept quiet. */
export const { Scp, Dataset, association, constants, requests, responses } = dimse;
