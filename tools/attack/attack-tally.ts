import type { OwnService } from "../own-service.ts";

/** What came of one kind of attack. */
export type AttackTally = {
  readonly kind: string;
  readonly tried: number;
  /** Refused as the specification says, or cut off. */
  readonly refused: number;
  /** 500, an answer out of shape, or a service that is no longer there. */
  readonly crashed: number;
  /** Answered calls without their row in the ledger, or rows without a call. */
  readonly lost: number;
  /** Figures, or the reason why it was not tried. */
  readonly note: string;
};

/** A running service with a key, and how far to go. */
export type AttackTarget = {
  readonly service: OwnService;
  readonly key: string;
  readonly dataDir: string;
  readonly isShort: boolean;
};

/** One that this machine cannot do. */
export function notTried(kind: string, why: string): AttackTally {
  return { kind, tried: 0, refused: 0, crashed: 0, lost: 0, note: `skipped: ${why}` };
}

/** Whether a service still runs. */
export function isRunning({ child }: Pick<OwnService, "child">): boolean {
  return child.exitCode === null && child.signalCode === null;
}
