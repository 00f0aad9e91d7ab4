import { AppError } from "../core/app-error.ts";

const deepestCause = 5;

type LoggedError = {
  readonly name: string;
  readonly code?: string;
  readonly message: string;
  readonly stack: string;
  readonly causes?: readonly unknown[];
};

/**
 * Reduces an error to loggable parts: name, code, message, stack and cause. Omits other fields, and parts of a message
 * that quote input or stored data: PostgreSQL adds the whole row to a constraint error, a parser quotes its text, the
 * operating system names the file, and a reason of the catalogue may name a patient.
 *
 * @param error  any thrown value; of an object that is not an error only the type is logged
 */
export function loggedError(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) return typeof error === "object" && error !== null ? kindOf(error) : error;
  const causes = depth < deepestCause ? causesOf(error).map((cause) => loggedError(cause, depth + 1)) : [];
  const code = "code" in error && typeof error.code === "string" ? error.code : undefined;
  return {
    name: error.name,
    ...(code !== undefined && { code }),
    message: messageOf(error, code),
    stack: placesOf(error),
    ...(causes.length > 0 && { causes }),
  } satisfies LoggedError;
}

function kindOf(thrown: object): string {
  return Object.prototype.toString.call(thrown);
}

/** Causes of an error, which AggregateError and SuppressedError have in other fields. */
function causesOf(error: Error): unknown[] {
  if (error instanceof AggregateError) return error.errors;
  if (error instanceof SuppressedError) return [error.error, error.suppressed];
  return error.cause === undefined ? [] : [error.cause];
}

function messageOf(error: Error, code: string | undefined): string {
  if (error instanceof AppError && error.reason !== null && Object.keys(error.reason.values).length > 0)
    return error.reason.name;
  // PostgreSQL errors of class 22 quote the invalid value.
  const quotesValue = error.name === "SyntaxError" || /^22[0-9A-Z]{3}$/.test(code ?? "");
  const message = quotesValue ? error.message.replace(/(["']).*["']/su, "…") : error.message;
  return pathsOf(error).reduce((rest, path) => rest.replaceAll(path, "…"), message);
}

/** Files of a failed system call, which are often named after patients. */
function pathsOf(error: Error): string[] {
  const { path, dest } = error as { readonly path?: unknown; readonly dest?: unknown };
  return [path, dest].filter((name) => typeof name === "string" && name !== "") as string[];
}

function placesOf({ stack = "" }: Error): string {
  return stack
    .split("\n")
    .filter((line) => /^ {4}at /.test(line))
    .join("\n");
}
