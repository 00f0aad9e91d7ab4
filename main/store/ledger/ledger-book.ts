import { firstPreviousHash, type LedgerEvent } from "../../../core/billing/ledger-event.ts";
import { tierOfOrdinal } from "../../../core/billing/tariff.ts";
import { readStatement } from "./ledger-statements.ts";
import { hashLedgerEvent } from "./ledger.ts";
import type { AccountMonth, MonthlyVolume } from "./monthly-volumes.ts";

/** What the rows so far say, kept small: open charges by number and the standing calls of each account's month. */
export class LedgerBook {
  lastHash = firstPreviousHash;
  private lastSeq = 0;
  private readonly standing = new Map<number, { readonly month: string; readonly amountCents: number | null }>();
  private readonly calls = new Map<string, number>();

  /** What is wrong with the next row, null when it follows from those before. */
  problemWith(row: LedgerEvent): string | null {
    if (row.seq !== this.lastSeq + 1) return `row ${this.lastSeq + 1} is missing`;
    if (row.previousHash !== this.lastHash) return "the hash of the row before does not match";
    if (row.hash !== hashLedgerEvent(row)) return "the row does not match its own hash";
    switch (row.kind) {
      case "charge":
        return this.problemWithCharge(row);
      case "reversal":
        return this.problemWithReversal(row);
      case "statement":
        return readStatement(row.note) === null ? "the statement's signature does not hold" : null;
    }
  }

  /** The next row, in order. */
  add(row: LedgerEvent): void {
    this.lastSeq = row.seq;
    this.lastHash = row.hash;
    if (row.kind === "charge") {
      const month = monthOf(row);
      this.calls.set(month, this.callsOf(month) + 1);
      this.standing.set(row.seq, { month, amountCents: row.amountCents });
    } else if (row.kind === "reversal") this.takeBack(row.reverses);
  }

  /** The next row, broken, which stays by an administrator's statement: what follows builds on what it says. */
  accept(raw: Readonly<Record<string, unknown>>): void {
    const row = raw as Partial<LedgerEvent>;
    this.lastSeq = row.seq ?? this.lastSeq + 1;
    this.lastHash = String(row.hash);
    if (row.kind === "charge") {
      const month = `${row.period} ${row.accountId}`;
      this.calls.set(month, row.ordinal ?? this.callsOf(month) + 1);
      this.standing.set(this.lastSeq, { month, amountCents: row.amountCents ?? null });
    } else if (row.kind === "reversal") this.takeBack(row.reverses ?? null);
  }

  /** Billable calls by account and month. */
  volumes(): readonly MonthlyVolume[] {
    return Array.from(this.calls, ([month, calls]) => ({
      period: month.slice(0, 7),
      accountId: month.slice(8),
      calls,
    }));
  }

  private takeBack(seq: number | null): void {
    const charged = this.standing.get(seq ?? 0);
    if (!charged) return;
    this.calls.set(charged.month, this.callsOf(charged.month) - 1);
    this.standing.delete(seq ?? 0);
  }

  private callsOf(month: string): number {
    return this.calls.get(month) ?? 0;
  }

  private problemWithCharge(row: LedgerEvent): string | null {
    const ordinal = this.callsOf(monthOf(row)) + 1;
    if (row.ordinal !== ordinal) return `its place in the month is ${row.ordinal}, not ${ordinal}`;
    return row.tier === tierOfOrdinal(ordinal) ? null : `its tier is ${row.tier}, not ${tierOfOrdinal(ordinal)}`;
  }

  private problemWithReversal(row: LedgerEvent): string | null {
    const charged = this.standing.get(row.reverses ?? 0);
    if (!charged) return `it reverses ${row.reverses}, which is no standing charge`;
    const amountCents = charged.amountCents && -charged.amountCents;
    return row.amountCents === amountCents ? null : `it takes back ${row.amountCents} cents, not ${amountCents}`;
  }
}

function monthOf({ period, accountId }: AccountMonth): string {
  return `${period} ${accountId}`;
}
