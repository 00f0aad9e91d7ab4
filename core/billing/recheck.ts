/** How long a patient may be measured again for free after a billed call [ms]. */
export const recheckGraceMs = 24 * 60 * 60 * 1000;

/** Largest difference between the clocks of workstations that share a ledger, as within a Windows domain [ms]. */
export const clocksApartMs = 5 * 60_000;

/** Latest date of a billed call that makes this one free [UTC ms]; a later one comes from a clock that was ahead. */
export function lastFreeingMs(atMs: number): number {
  return atMs + clocksApartMs;
}

/**
 * Whether a repeat call is free: strictly less than 24 h since the last billed call for the same account, service and
 * uuid. A billed call dated slightly later by another workstation counts too, one dated by a clock far ahead does not.
 *
 * @param lastBilledAtMs  UTC time of that call [ms]; null when there is none
 * @param atMs            UTC time of this call [ms]
 */
export function isFreeRecheck(lastBilledAtMs: number | null, atMs: number): boolean {
  return lastBilledAtMs !== null && lastBilledAtMs <= lastFreeingMs(atMs) && atMs - lastBilledAtMs < recheckGraceMs;
}
