import { InvalidArgumentError, Option, type Command } from "commander";
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

export function dollars(text: string): number {
  const cents = centsOfDollars(text);
  if (cents === null) throw new InvalidArgumentError("It must be an amount of dollars such as 1.80.");
  return cents;
}

export function notEmpty(text: string): string {
  return withoutControls(notBlank(text)).trim();
}

/**
 * Refuses an empty file, folder or database, which often results from an unset variable in a script: Node.js resolves
 * "" to the current folder, and an empty address selects the file in the data directory.
 */
export function refuseEmptyPlaces(command: Command): void {
  for (const option of command.options) if (isPlace(option.flags) && !option.parseArg) option.argParser(notBlank);
  for (const argument of command.registeredArguments)
    if (isPlace(`<${argument.name()}>`) && !argument.parseArg)
      argument.argParser((text: string, previous?: string | readonly string[]) =>
        argument.variadic ? [...(previous ?? []), notBlank(text)] : notBlank(text),
      );
}

function isPlace(placeholder: string): boolean {
  return /<(?:dir|file|folder|film|url)\b/.test(placeholder);
}

function notBlank(text: string): string {
  if (text.trim() === "") throw new InvalidArgumentError("It must not be empty.");
  return text;
}

export function withoutControls(text: string): string {
  if (hasControlCharacter(text)) throw new InvalidArgumentError("It must not contain control characters.");
  return text;
}
