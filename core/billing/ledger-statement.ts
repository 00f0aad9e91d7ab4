import { z } from "zod";

const signedFields = {
  /** The broken row: a row number of the ledger, or `table/key` for a sealed value. */
  subject: z.string(),
  problem: z.string(),
  /**
   * SHA-256 of the current content, or of the head noted outside the store if rows are lost; null if there is no
   * content.
   */
  found: z.string().nullable(),
  /** Last row, if rows at the end of the ledger are lost. */
  lostUpTo: z.int().positive().nullable(),
  why: z.string(),
  by: z.string(),
  /** ISO 8601, UTC. */
  at: z.iso.datetime(),
};

/**
 * An administrator's statement that accepts a broken row, stored as the note of a ledger row. Key and signature are
 * Ed25519 in Base64, the key as SubjectPublicKeyInfo.
 */
export const ledgerStatementSchema = z.object({ ...signedFields, publicKey: z.string(), signature: z.string() });

/** Author of a statement made in the window while sign-in is off. */
export const byWindow = "the window";

export type LedgerStatement = Readonly<z.infer<typeof ledgerStatementSchema>>;

export type UnsignedStatement = Omit<LedgerStatement, "publicKey" | "signature">;

export function signedStatementText({ subject, problem, found, lostUpTo, why, by, at }: UnsignedStatement): string {
  return JSON.stringify(["corvet ledger statement", subject, problem, found, lostUpTo, why, by, at]);
}

export function describeStatement({ subject, problem, why, by, at }: LedgerStatement): string {
  return `${subject} (${problem}) was accepted as it stands by ${by}, ${at}: ${why}`;
}
