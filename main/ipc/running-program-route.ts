import { createHash, timingSafeEqual } from "node:crypto";
import { userInfo } from "node:os";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { z } from "zod";
import { AppError } from "../../core/app-error.ts";
import { desktopRoutes, filmSizeLimitBytes } from "../../core/contract/desktop/routes.ts";
import { writeRunningProgramToken } from "../send-to-running-program.ts";
import { runAsActor } from "../store/audit/acting.ts";
import { answerToFailure, json, parseJson } from "./app-routes.ts";
import type { Desktop } from "./desktop.ts";

const requestSchema = z.union([z.strictObject({ link: z.string() }), z.strictObject({ paths: z.array(z.string()) })]);

/** Fits the paths of a command line, which operating systems limit to 2 MiB [bytes]. */
const requestLimitBytes = 4 * 1024 * 1024;

/**
 * Registers the route by which a command of the same user passes links, paths and films to the running program. The
 * command authenticates with a token from the data directory. A page can neither read the token nor send the header to
 * another origin; requests from pages are also refused by their headers.
 */
export async function registerRunningProgramRoute(app: FastifyInstance, desktop: Desktop): Promise<void> {
  const { token, remove } = writeRunningProgramToken(desktop.context.dataDir);
  app.addHook("onClose", async () => remove());
  await app.register(async (scope) => {
    scope.setErrorHandler((error, request, reply) => reply.send(answerToFailure(error, desktop, request)));
    scope.addHook("onRequest", async (request) => assertCommand(request, token));
    const answered = async (act: () => Promise<unknown>) => {
      await runAsActor({ via: "command", personId: null, who: userInfo().username }, act);
      return json({ ok: true, value: { isPageOpen: desktop.hasPage() } });
    };
    scope.post(desktopRoutes.runningProgram, { bodyLimit: requestLimitBytes }, async (request, reply) => {
      const parsed = requestSchema.safeParse(parseJson(bytesOf(request)));
      if (!parsed.success) throw new AppError("INVALID_FIELD");
      const asked = parsed.data;
      return reply.send(
        await answered(async () => {
          // Not awaited, since importing a CD exceeds the time limit of a request. Failures are reported to the page.
          if ("paths" in asked) return void desktop.openPaths(asked.paths);
          const fault = await desktop.current().openings.openLink(asked.link);
          if (fault !== null) throw fault;
        }),
      );
    });
    scope.put(desktopRoutes.runningProgram, { bodyLimit: filmSizeLimitBytes }, async (request, reply) => {
      const { name } = z.object({ name: z.string().max(255) }).parse(request.query);
      return reply.send(await answered(() => desktop.current().openings.askWithFilm(name, bytesOf(request))));
    });
  });
}

/** @throws AppError FOREIGN_SENDER, NOT_SIGNED_IN */
function assertCommand({ headers }: FastifyRequest, token: string): void {
  if (headers["sec-fetch-site"] !== undefined || headers.origin !== undefined) throw new AppError("FOREIGN_SENDER");
  const [, presented = ""] = /^Bearer (.+)$/.exec(headers.authorization ?? "") ?? [];
  if (!timingSafeEqual(sha256(presented), sha256(token))) throw new AppError("NOT_SIGNED_IN");
}

function bytesOf({ body }: FastifyRequest): Uint8Array {
  return body instanceof Uint8Array ? body : new Uint8Array();
}

function sha256(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
