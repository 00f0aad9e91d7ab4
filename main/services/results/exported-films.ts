import type { ExportWay } from "../../../core/people/audit-actions.ts";
import { recordAudit } from "../../store/audit/audit-events.ts";
import { patientOfFilm } from "../../store/films/films.ts";
import type { DesktopContext } from "../desktop/desktop-context.ts";

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
