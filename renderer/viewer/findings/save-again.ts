import type { Reading } from "../../../core/contract/desktop/readings.ts";
import { saveReading } from "../correction/correction-slice.ts";
import type { Signature } from "../correction/signing.ts";

export function saveAgain(reading: Reading, signature: Signature): Promise<boolean> {
  const { verdict, rejectionReason, frame, corners, heart, edges, outline } = reading;
  const isPlaced = verdict === "corrected" || verdict === "by_hand";
  const geometry = isPlaced && heart ? { frame, corners, heart, edges, ...(outline && { outline }) } : null;
  return saveReading(verdict ?? "accepted", signature, geometry, { rejectionReason });
}
