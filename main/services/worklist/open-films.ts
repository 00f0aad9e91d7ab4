import type { DomainEventPayload } from "../domain-events.ts";
import { currentActor } from "../../store/audit/acting.ts";
import { saveOpenFilms, listOpenElsewhere, type OpenFilm } from "../../store/films/open-films.ts";
import type { DesktopContext } from "../desktop/desktop-context.ts";
import { runInSequence } from "../measuring/run-in-sequence.ts";

/** Films open on this program's pages and on other workstations. */
export type OpenFilms = ReturnType<typeof createOpenFilms>;

export function createOpenFilms({ db, now, raise, log }: DesktopContext) {
  const shown = new Map<string, OpenFilm>();
  const publishOpen = (payload: DomainEventPayload<"openFilms.changed"> = {}) =>
    runInSequence("films that are open", async () => {
      await saveOpenFilms(db, [...shown.values()]);
      raise({ name: "openFilms.changed", payload });
    });
  const orLog = (error: unknown) => log.warn({ error }, "the open films could not be published");
  return {
    /** Sets the film open on a page; null for none. */
    async say(session: string, filmId: string | null) {
      const before = shown.get(session);
      const { who } = currentActor();
      if ((before?.filmId ?? null) === filmId && (before === undefined || before.who === who)) return;
      if (filmId === null) shown.delete(session);
      else shown.set(session, { filmId, who, sinceMs: now().getTime() });
      await publishOpen({ session });
    },
    /** Drops entries of closed pages and ended sessions. */
    async review(isShown: (session: string) => Promise<boolean>) {
      const before = shown.size;
      try {
        for (const session of [...shown.keys()]) if (!(await isShown(session))) shown.delete(session);
        if (shown.size < before) await publishOpen();
      } catch (error) {
        orLog(error);
      }
    },
    async elsewhere(session: string) {
      const onOtherPages = [...shown]
        .filter(([other]) => other !== session)
        .map(([, film]) => ({ ...film, machine: null }));
      return [...onOtherPages, ...(await listOpenElsewhere(db))].map(({ sinceMs, ...film }) => ({
        ...film,
        since: new Date(sinceMs).toISOString(),
      }));
    },
    async close() {
      shown.clear();
      await publishOpen().catch(orLog);
    },
  };
}
