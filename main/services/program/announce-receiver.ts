import type { ReceiverFault } from "../../../core/contract/desktop/network/dicom.ts";
import type { Troubles } from "./troubles.ts";

/** Says in window and health that the DICOM receiver does not listen although it is to; null: it does, or is off. */
export function announceReceiver(troubles: Pick<Troubles, "raise" | "clear">, fault: ReceiverFault | null): void {
  if (fault === null) troubles.clear("RECEIVER_SILENT");
  else troubles.raise({ code: "RECEIVER_SILENT", message: `DICOM objects are not received (${fault}).` });
}
