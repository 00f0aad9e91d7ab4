export const recheckGraceMs = 24 * 60 * 60 * 1000;

/** Maximum clock difference between workstations that share a ledger [ms]; the tolerance within a Windows domain. */
export const clocksApartMs = 5 * 60_000;

/** Latest date of a billed call that makes a call at `atMs` free; a later date comes from a clock that was ahead. */
export function latestFreeingMs(atMs: number): number {
  return atMs + clocksApartMs;
}

/**
 * Whether a call is free: less than 24 h after the last billed call of the same account, service and uuid, which
 * another workstation may have dated up to `clocksApartMs` later.
 */
export function isFreeRecheck(lastBilledAtMs: number | null, atMs: number): boolean {
  return lastBilledAtMs !== null && lastBilledAtMs <= latestFreeingMs(atMs) && atMs - lastBilledAtMs < recheckGraceMs;
}
