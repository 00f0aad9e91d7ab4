import type { DesktopRequest, DesktopResponse } from "../../../core/contract/desktop.ts";
import { getFilm } from "../../store/films/films.ts";
import type { DesktopContext } from "../desktop/desktop-context.ts";
import { recordExported } from "./exported-films.ts";
import { deleteDraft, writeMailDraft, type MailDraft } from "./mail-draft.ts";
import { makeHandout } from "./report-handout.ts";

export type OpenMail = (draft: MailDraft) => Promise<"attached" | "beside">;

/**
 * Opens a mail draft once it is audited. If cancelled before that, neither a file nor an audit event remains.
 *
 * @throws AppError as `makeHandout`
 */
export async function mailHandout(
  context: DesktopContext,
  openMail: OpenMail,
  { filmId, language, subject, body, ...sheet }: Omit<DesktopRequest<"reports.mail">, "exportId">,
  signal: AbortSignal,
): Promise<DesktopResponse<"reports.mail">> {
  const film = await getFilm(context.db, filmId);
  const handout = await makeHandout(context, filmId, language, sheet);
  const { fileName, isShortened } = handout;
  const draft = await writeMailDraft(context.dataDir, { ...handout, filmId }, { subject, body });
  if (signal.aborted) {
    await deleteDraft(draft);
    return { way: "cancelled", fileName, isShortened };
  }
  try {
    await recordExported(context, [film], "mail");
  } catch (error) {
    await deleteDraft(draft);
    throw error;
  }
  const way = await openMail(draft);
  return { way, fileName, isShortened };
}
