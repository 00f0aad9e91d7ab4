/** Period after a billed call in which a repeat of the same patient is free [ms]. */
export const recheckGraceMs = 24 * 60 * 60 * 1000;

/** Maximum clock difference between workstations that share a ledger [ms]; the tolerance within a Windows domain. */
export const clocksApartMs = 5 * 60_000;

/**
 * Latest date of a billed call that makes a call at `atMs` free [UTC ms]. A later date comes from a clock that was
 * ahead.
 */
export function latestFreeingMs(atMs: number): number {
  return atMs + clocksApartMs;
}

/**
 * Whether a repeat call is free: less than 24 h since the last billed call of the same account, service and uuid. A
 * billed call that another workstation dated up to `clocksApartMs` later counts as well.
 *
 * @param lastBilledAtMs  time of that call [UTC ms]; null if there is none
 * @param atMs            time of this call [UTC ms]
 */
export function isFreeRecheck(lastBilledAtMs: number | null, atMs: number): boolean {
  return lastBilledAtMs !== null && lastBilledAtMs <= latestFreeingMs(atMs) && atMs - lastBilledAtMs < recheckGraceMs;
}
