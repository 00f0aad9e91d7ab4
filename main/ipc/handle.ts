import { AppError, failureOf } from "../../core/app-error.ts";
import { systemFaultOf } from "../../core/system-fault.ts";
import { errorCatalogue } from "../../core/contract/error-catalogue.ts";
import { desktopContract, type DesktopAnswer, type DesktopChannel } from "../../core/contract/desktop.ts";
import { isForAnybody, permissionOf } from "../../core/people/channel-permissions.ts";
import { actingAs } from "../store/audit/acting.ts";
import type { PersonSessions } from "../services/people/person-sessions.ts";
import type { Log } from "../services/measuring/service-context.ts";
import type { Handlers } from "./handlers.ts";

/** Carries out one call of a page, whatever it sends; never throws. */
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
      if (!isChannel(channel)) throw new AppError("NOT_FOUND", "There is no such channel");
      // Whoever has not signed in learns nothing of what a request may say.
      if (!isForAnybody(channel)) await admit(session, "look");
      const schemas = desktopContract[channel];
      const parsed = schemas.request.safeParse(request);
      if (!parsed.success) throw new AppError("INVALID_FIELD", faultOf(parsed.error.issues));
      const actor = await admit(session, permissionOf(channel, parsed.data as never));
      const value = await actingAs(actor, () => (handlers[channel] as AnyHandler)(parsed.data, session));
      return { ok: true, value: schemas.response.parse(value) };
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

function isChannel(channel: string): channel is DesktopChannel {
  return Object.hasOwn(desktopContract, channel);
}

function faultOf(issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[]): string {
  const [issue] = issues;
  const field = issue && issue.path.length > 0 ? issue.path.map(String).join(".") : "request";
  return `Invalid field: ${field}${issue ? ` (${issue.message})` : ""}`;
}
