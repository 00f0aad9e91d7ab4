/** How long a patient may be measured again for free after a billed call [ms]. */
export const recheckGraceMs = 24 * 60 * 60 * 1000;

/**
 * Whether a repeat call is free: strictly less than 24 h since the last billed call for the same account, service and
 * uuid. A billed call that another process dated a moment later counts too.
 *
 * @param lastBilledAtMs  UTC time of that call [ms]; null when there is none
 * @param atMs            UTC time of this call [ms]
 */
export function isFreeRecheck(lastBilledAtMs: number | null, atMs: number): boolean {
  return lastBilledAtMs !== null && atMs - lastBilledAtMs < recheckGraceMs;
}
