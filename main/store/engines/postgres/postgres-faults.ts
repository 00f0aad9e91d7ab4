import { DatabaseError } from "pg";
import { AppError } from "../../../../core/app-error.ts";
import type { ErrorCode } from "../../../../core/contract/error-catalogue.ts";

type Fault = { readonly code: ErrorCode; readonly says: string };

const away: Fault = { code: "STORE_UNAVAILABLE", says: "cannot be used" };
const busy: Fault = { code: "STORE_BUSY", says: "is busy" };

/** By PostgreSQL's code or the prefix of its class. @see https://www.postgresql.org/docs/15/errcodes-appendix.html */
const faults: readonly (readonly [beginning: string, Fault])[] = [
  ["08", away], // connection
  ["0A000", away], // a standby refuses to begin a writing transaction
  ["25P03", away], // idle in a transaction for too long
  ["28", away], // user or password
  ["3D000", away], // no such database
  ["40", busy], // deadlock
  ["53100", { code: "DISK_FULL", says: "has no room left on its disk" }],
  ["53", away], // no more memory or connections
  ["55P03", busy], // no lock in time
  ["57014", busy], // took too long
  ["57P", away], // stopping, crashed, starting
  ["58", away], // the operating system
];

/** PostgreSQL refuses U+0000 in a text, while SQLite stores it. */
const unkeptCharacter = "22021";

/** Codes after which the connection is closed or its server does not accept writes. */
const closingCodes = /^(08|0A000|25P03|57P)/;

export function isConnectionLost(error: unknown): boolean {
  return error instanceof DatabaseError ? closingCodes.test(error.code ?? "") : isOfNetwork(error);
}

/** Errors of the server are instances of DatabaseError. */
function isOfNetwork(error: unknown): boolean {
  return error instanceof Error && !(error instanceof TypeError || error instanceof RangeError);
}

/** Maps an error to the catalogue if the database is unavailable, busy or full; returns any other error unchanged. */
export function faultOf(error: unknown, place: string): unknown {
  if (!(error instanceof Error) || error instanceof AppError) return error;
  if (error instanceof DatabaseError && error.code === unkeptCharacter)
    return new AppError("INVALID_FIELD", "Invalid field: a text must not contain the character U+0000", {
      cause: error,
    });
  const fault = error instanceof DatabaseError ? faultOfServer(error) : isOfNetwork(error) ? away : undefined;
  if (!fault) return error;
  const why = "code" in error ? String(error.code) : wordsOf(error);
  return new AppError(fault.code, `The database ${place} ${fault.says} (${why}).`, { cause: error });
}

function wordsOf({ message }: Error): string {
  return message.startsWith("SASL")
    ? "the server requires a password that the address does not contain, or refuses it"
    : message;
}

function faultOfServer({ code = "" }: DatabaseError): Fault | undefined {
  return faults.find(([beginning]) => code.startsWith(beginning))?.[1];
}
