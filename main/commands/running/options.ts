import { InvalidArgumentError, Option } from "commander";
import { hasControlCharacter } from "../../../core/identifiers.ts";
import { centsOfDollars } from "../../../core/billing/dollars.ts";
import { defaultDataDir } from "../../program.ts";

export function dataDirOption(): Option {
  return new Option("--data-dir <dir>", "the clinic's data directory")
    .argParser(notEmpty)
    .default(defaultDataDir(), "the user's own");
}

export function monthOption(): Option {
  return new Option("--month <YYYY-MM>", "only this UTC month").argParser((text) => {
    if (!/^\d{4}-(0[1-9]|1[0-2])$/.test(text)) throw new InvalidArgumentError("It must look like 2026-11.");
    return text;
  });
}

export const wholeNumber =
  (least: number, most = Number.MAX_SAFE_INTEGER) =>
  (text: string): number => {
    const number = text.trim() === "" ? NaN : Number(text);
    if (!Number.isInteger(number) || number < least || number > most)
      throw new InvalidArgumentError(`It must be a whole number from ${least}${most < 1e9 ? ` to ${most}` : ""}.`);
    return number;
  };

/** Parses an amount of dollars such as 1.80 into whole cents. */
export function dollars(text: string): number {
  const cents = centsOfDollars(text);
  if (cents === null) throw new InvalidArgumentError("It must be an amount of dollars such as 1.80.");
  return cents;
}

export function notEmpty(text: string): string {
  if (text.trim() === "") throw new InvalidArgumentError("It must not be empty.");
  return withoutControls(text).trim();
}

export function withoutControls(text: string): string {
  if (hasControlCharacter(text)) throw new InvalidArgumentError("It must not contain control characters.");
  return text;
}
