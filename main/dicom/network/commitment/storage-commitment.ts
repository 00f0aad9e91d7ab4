import { z } from "zod";
import { statusText } from "../status-text.ts";

/** Storage Commitment Push Model SOP class and its well-known instance. @see DICOM PS3.4 annex J */
export const storageCommitment = { uid: "1.2.840.10008.1.20.1", instanceUid: "1.2.840.10008.1.20.1.1" } as const;

export type ReferredObject = { readonly sopClassUid: string; readonly sopInstanceUid: string };

const uid = z.string().regex(/^[0-9.]{1,64}$/);
const list = <Item extends z.ZodType>(item: Item) =>
  z.preprocess((value) => (value === undefined ? [] : [value].flat()), z.array(item).max(10_000));
const elements = z.object({
  TransactionUID: uid,
  ReferencedSOPSequence: list(z.object({ ReferencedSOPInstanceUID: uid })),
  FailedSOPSequence: list(
    z.object({ ReferencedSOPInstanceUID: uid, FailureReason: z.union([z.number(), z.string()]).optional() }),
  ),
});

export const commitmentReport = z.object({
  transactionUid: uid,
  kept: z.array(uid),
  failed: z.array(z.object({ sopInstanceUid: uid, reason: z.string() })),
});
export type CommitmentReport = z.infer<typeof commitmentReport>;

/** Reads a report from an event's elements; null for any other event. @see DICOM PS3.4 J.3.3 */
export function commitmentReportOf(event: unknown): CommitmentReport | null {
  const read = elements.safeParse(event);
  if (!read.success) return null;
  const { TransactionUID, ReferencedSOPSequence, FailedSOPSequence } = read.data;
  return {
    transactionUid: TransactionUID,
    kept: ReferencedSOPSequence.map((item) => item.ReferencedSOPInstanceUID),
    failed: FailedSOPSequence.map((item) => ({
      sopInstanceUid: item.ReferencedSOPInstanceUID,
      reason: statusText(Number(item.FailureReason ?? 0)),
    })),
  };
}
