import type { ExportWay } from "../../../core/people/audit-actions.ts";
import { recordAudit } from "../../store/audit/audit-events.ts";
import { patientOfFilm } from "../../store/films/films.ts";
import type { DesktopContext } from "../desktop/desktop-context.ts";
import { takeExport, type TakenExport } from "../desktop/exports.ts";

/**
 * Notes in the audit trail that a film's results have left for another program: in the transaction that notes that they
 * need not leave again.
 *
 * @param whither  `to`: who took them; `formats`: as which files they were written
 */
export async function recordSent(
  { db, now }: Pick<DesktopContext, "db" | "now">,
  filmId: string,
  whither: { readonly to: string } | { readonly formats: string },
): Promise<void> {
  const patientId = await patientOfFilm(db, filmId);
  await recordAudit(db, { action: "film.sent", at: now(), patientId, subject: filmId, detail: whither });
}

/** Notes in the audit trail that what is known of a film was given out to a person. */
export async function recordExported(
  { db, now }: Pick<DesktopContext, "db" | "now">,
  filmId: string,
  way: ExportWay,
): Promise<void> {
  const patientId = await patientOfFilm(db, filmId);
  await recordAudit(db, { action: "film.exported", at: now(), patientId, subject: filmId, detail: { way } });
}

/**
 * An export for the page that fetches it. Only now are the results in it given out: one that is made and never fetched,
 * since the person cancelled, was not.
 *
 * @throws AppError NOT_FOUND
 */
export async function giveOutExport(
  context: Pick<DesktopContext, "db" | "dataDir" | "now">,
  name: string,
): Promise<TakenExport> {
  const taken = await takeExport(context.dataDir, name);
  const { whose } = taken;
  try {
    if (whose) for (const filmId of whose.filmIds) await recordExported(context, filmId, whose.way);
  } catch (error) {
    taken.content.destroy();
    throw error;
  }
  return taken;
}
