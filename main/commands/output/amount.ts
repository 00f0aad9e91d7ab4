import { centsOfDollars } from "../../../core/billing/dollars.ts";
import { UsageError } from "../running/run-command.ts";

/**
 * An amount from the command line.
 *
 * @returns whole cents
 * @throws UsageError naming where it stood
 */
export function readAmount(text: string | undefined, place: string): number {
  const cents = text === undefined ? null : centsOfDollars(text);
  if (cents === null) throw new UsageError(`${place} must be an amount of dollars such as 1.80`);
  return cents;
}
