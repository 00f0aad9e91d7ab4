import { agreementHandlers } from "./handlers/agreement.ts";
import { annotationHandlers } from "./handlers/annotations.ts";
import { backupHandlers } from "./handlers/backups.ts";
import { captureHandlers } from "./handlers/capture.ts";
import { dicomHandlers } from "./handlers/network/dicom.ts";
import { filmHandlers } from "./handlers/films.ts";
import { ledgerHandlers } from "./handlers/ledger.ts";
import { peopleHandlers } from "./handlers/people.ts";
import { patientHandlers } from "./handlers/patients.ts";
import { practiceHandlers } from "./handlers/practice.ts";
import { programHandlers } from "./handlers/program.ts";
import { receivedHandlers } from "./handlers/network/received.ts";
import { reportHandlers } from "./handlers/reports.ts";
import { sampleHandlers } from "./handlers/sample.ts";
import { updateHandlers } from "./handlers/updates.ts";
import { usgHandlers } from "./handlers/usg.ts";
import type { DesktopParts } from "./handlers.ts";

export async function allHandlers(parts: DesktopParts) {
  return {
    ...filmHandlers(parts),
    ...annotationHandlers(parts),
    ...patientHandlers(parts),
    ...agreementHandlers(parts),
    ...usgHandlers(parts),
    ...captureHandlers(parts),
    ...ledgerHandlers(parts),
    ...dicomHandlers(parts),
    ...practiceHandlers(parts),
    ...receivedHandlers(parts),
    ...(await programHandlers(parts)),
    ...backupHandlers(parts),
    ...reportHandlers(parts),
    ...peopleHandlers(parts),
    ...sampleHandlers(parts),
    ...updateHandlers(parts),
  };
}
