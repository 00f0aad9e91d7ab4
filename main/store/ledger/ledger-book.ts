import { because, type Reason } from "../../../core/app-error.ts";
import { firstPreviousHash, type LedgerEvent } from "../../../core/billing/ledger-event.ts";
import { tierOfOrdinal } from "../../../core/billing/tariff.ts";
import { readStatement } from "./ledger-statements.ts";
import { hashLedgerEvent } from "./ledger.ts";
import type { AccountMonth, MonthlyVolume } from "./monthly-volumes.ts";

/** Compact state of the rows read so far: open charges by number, and billed calls by account and month. */
export class LedgerBook {
  lastHash = firstPreviousHash;
  private lastSeq = 0;
  private readonly standing = new Map<number, { readonly month: string; readonly amountCents: number | null }>();
  private readonly calls = new Map<string, number>();

  problemWith(row: LedgerEvent): Reason | null {
    const { seq } = row;
    if (seq !== this.lastSeq + 1) return because("ledgerRowMissing", { row: this.lastSeq + 1 });
    if (row.previousHash !== this.lastHash) return because("ledgerRowBeforeChanged", { row: seq });
    if (row.hash !== hashLedgerEvent(row)) return because("ledgerRowChanged", { row: seq });
    switch (row.kind) {
      case "charge":
        return this.problemWithCharge(row);
      case "reversal":
        return this.problemWithReversal(row);
      case "statement":
        return readStatement(row.note) === null ? because("ledgerStatementForged", { row: seq }) : null;
    }
  }

  add(row: LedgerEvent): void {
    this.lastSeq = row.seq;
    this.lastHash = row.hash;
    if (row.kind === "charge") {
      const month = monthOf(row);
      this.calls.set(month, this.callsOf(month) + 1);
      this.standing.set(row.seq, { month, amountCents: row.amountCents });
    } else if (row.kind === "reversal") this.removeCharge(row.reverses);
  }

  /** Adds a broken row that an administrator's statement accepts; later rows build on its values. */
  accept(raw: Readonly<Record<string, unknown>>): void {
    const row = raw as Partial<LedgerEvent>;
    this.lastSeq = row.seq ?? this.lastSeq + 1;
    this.lastHash = String(row.hash);
    if (row.kind === "charge") {
      const month = `${row.period} ${row.accountId}`;
      this.calls.set(month, row.ordinal ?? this.callsOf(month) + 1);
      this.standing.set(this.lastSeq, { month, amountCents: row.amountCents ?? null });
    } else if (row.kind === "reversal") this.removeCharge(row.reverses ?? null);
  }

  volumes(): readonly MonthlyVolume[] {
    return Array.from(this.calls, ([month, calls]) => ({
      period: month.slice(0, 7),
      accountId: month.slice(8),
      calls,
    }));
  }

  private removeCharge(seq: number | null): void {
    const charged = this.standing.get(seq ?? 0);
    if (!charged) return;
    this.calls.set(charged.month, this.callsOf(charged.month) - 1);
    this.standing.delete(seq ?? 0);
  }

  private callsOf(month: string): number {
    return this.calls.get(month) ?? 0;
  }

  private problemWithCharge({ seq, tier, ...row }: LedgerEvent): Reason | null {
    const ordinal = this.callsOf(monthOf(row)) + 1;
    if (row.ordinal !== ordinal)
      return because("ledgerPlaceWrong", { row: seq, found: row.ordinal ?? 0, expected: ordinal });
    const expected = tierOfOrdinal(ordinal);
    return tier === expected ? null : because("ledgerTierWrong", { row: seq, found: tier, expected });
  }

  private problemWithReversal({ seq, reverses, amountCents }: LedgerEvent): Reason | null {
    const charged = this.standing.get(reverses ?? 0);
    if (!charged) return because("ledgerReversalOfNothing", { row: seq, reversed: reverses ?? 0 });
    const expected = charged.amountCents && -charged.amountCents;
    if (amountCents === expected) return null;
    return because("ledgerReversalWrong", { row: seq, found: amountCents ?? 0, expected: expected ?? 0 });
  }
}

function monthOf({ period, accountId }: AccountMonth): string {
  return `${period} ${accountId}`;
}
