import { AppError, failureOf } from "../../core/app-error.ts";
import { systemFaultOf } from "../../core/system-fault.ts";
import { errorCatalogue } from "../../core/contract/error-catalogue.ts";
import { findChannel, type DesktopAnswer, type DesktopChannel } from "../../core/contract/desktop.ts";
import { permissionOf } from "../../core/contract/channel.ts";
import { nothing } from "../../core/contract/desktop/shapes.ts";
import { runAsActor } from "../store/audit/acting.ts";
import type { PersonSessions } from "../services/people/person-sessions.ts";
import type { Log } from "../services/measuring/service-context.ts";
import type { Handlers } from "./handlers.ts";

/** Runs a call of a page. Failures are returned, never thrown. */
export type Handle = (channel: string, request: unknown, session: string) => Promise<DesktopAnswer<unknown>>;

type AnyHandler = (request: unknown, session: string) => unknown;

/**
 * Creates the single entry point of all handlers. It checks the user's permission, validates request and response
 * against the contract, and runs the handler as the signed-in user.
 */
export function createHandle(
  handlers: Handlers<DesktopChannel>,
  { admit }: Pick<PersonSessions, "admit">,
  log: Log,
): Handle {
  return async (channel, request, session) => {
    try {
      const row = findChannel(channel);
      if (!row) throw new AppError("NOT_FOUND", "Unknown channel");
      // Before sign-in, a page must not receive messages about the fields of a request.
      if (row.permission !== "enter") await admit(session, "look");
      const parsed = row.request.safeParse(request);
      if (!parsed.success) throw new AppError("INVALID_FIELD", faultOf(parsed.error.issues));
      const actor = await admit(session, permissionOf(row, parsed.data));
      const value = await runAsActor(actor, () =>
        (handlers[channel as DesktopChannel] as AnyHandler)(parsed.data, session),
      );
      return { ok: true, value: row.response === nothing ? {} : row.response.parse(value) };
    } catch (error) {
      return answerOf(error, log, channel);
    }
  };
}

/**
 * Converts an error to a failure response. Errors outside the catalogue are logged, except those of a page that
 * disconnected; bugs get a generic message.
 */
export function answerOf(error: unknown, log: Log, where: string): DesktopAnswer<never> {
  if (error instanceof AppError) return { ok: false, ...failureOf(error) };
  if (error instanceof Error && error.name === "AbortError")
    return answerOf(new AppError("ABORTED", undefined, { cause: error }), log, where);
  log.error({ where, error }, "a call of the page failed");
  const fault = systemFaultOf(error);
  if (fault !== null) return { ok: false, code: fault.code, message: fault.message };
  return { ok: false, code: "INTERNAL", message: errorCatalogue.INTERNAL.message };
}

function faultOf(issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[]): string {
  const [issue] = issues;
  const field = issue && issue.path.length > 0 ? issue.path.map(String).join(".") : "request";
  return `Invalid field: ${field}${issue ? ` (${issue.message})` : ""}`;
}
