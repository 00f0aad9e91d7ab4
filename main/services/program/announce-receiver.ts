import type { ReceiverFault } from "../../../core/contract/desktop/network/dicom.ts";
import type { Troubles } from "./troubles.ts";

/** Raises a trouble while an enabled DICOM receiver does not listen; null clears it. */
export function announceReceiver(troubles: Pick<Troubles, "raise" | "clear">, fault: ReceiverFault | null): void {
  if (fault === null) troubles.clear("RECEIVER_SILENT");
  else troubles.raise({ code: "RECEIVER_SILENT", message: `DICOM objects are not received (${fault}).` });
}
