import { AppError, failureOf } from "../../core/app-error.ts";
import { systemFaultOf } from "../../core/system-fault.ts";
import { errorCatalogue } from "../../core/contract/error-catalogue.ts";
import { findChannel, type DesktopAnswer, type DesktopChannel } from "../../core/contract/desktop.ts";
import { permissionOf } from "../../core/contract/channel.ts";
import { actingAs } from "../store/audit/acting.ts";
import type { PersonSessions } from "../services/people/person-sessions.ts";
import type { Log } from "../services/measuring/service-context.ts";
import type { Handlers } from "./handlers.ts";

/** Runs a call of a page and returns its response or failure; never throws. */
export type Handle = (channel: string, request: unknown, session: string) => Promise<DesktopAnswer<unknown>>;

type AnyHandler = (request: unknown, session: string) => unknown;

/**
 * The one door in front of all handlers: checks who is there and what they may, the channel, the request and the
 * response against the contract. What is done is done in the person's name.
 */
export function createHandle(
  handlers: Handlers<DesktopChannel>,
  { admit }: Pick<PersonSessions, "admit">,
  log: Log,
): Handle {
  return async (channel, request, session) => {
    try {
      const row = findChannel(channel);
      if (!row) throw new AppError("NOT_FOUND", "There is no such channel");
      // Before sign-in a page receives no messages about the fields of a request.
      if (row.permission !== "enter") await admit(session, "look");
      const parsed = row.request.safeParse(request);
      if (!parsed.success) throw new AppError("INVALID_FIELD", faultOf(parsed.error.issues));
      const actor = await admit(session, permissionOf(row, parsed.data));
      const value = await actingAs(actor, () =>
        (handlers[channel as DesktopChannel] as AnyHandler)(parsed.data, session),
      );
      return { ok: true, value: row.response.parse(value) };
    } catch (error) {
      return answerOf(error, log, channel);
    }
  };
}

/**
 * A failure as an answer. What is not in the catalogue is a bug, unless the page went away: logged here, shown as one
 * generic message.
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
