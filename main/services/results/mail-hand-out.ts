import type { DesktopRequest, DesktopResponse } from "../../../core/contract/desktop.ts";
import { getFilm } from "../../store/films/films.ts";
import type { DesktopContext } from "../desktop/desktop-context.ts";
import { recordExported } from "./exported-films.ts";
import { deleteDraft, writeMailDraft, type MailDraft } from "./mail-draft.ts";
import { makeHandOut } from "./report-hand-out.ts";

export type OpenMail = (draft: MailDraft) => Promise<"attached" | "beside">;

/**
 * Opens a mail draft with a film's handout. Cancelled before the mail program is called, it leaves no file and no audit
 * event.
 *
 * @throws AppError as `makeHandOut`
 */
export async function mailHandOut(
  context: DesktopContext,
  openMail: OpenMail,
  { filmId, language, subject, body, ...sheet }: Omit<DesktopRequest<"reports.mail">, "exportId">,
  signal: AbortSignal,
): Promise<DesktopResponse<"reports.mail">> {
  const film = await getFilm(context.db, filmId);
  const handOut = await makeHandOut(context, filmId, language, sheet);
  const { fileName } = handOut;
  const draft = await writeMailDraft(context.dataDir, { ...handOut, filmId }, { subject, body });
  if (signal.aborted) {
    await deleteDraft(draft);
    return { way: "cancelled", fileName };
  }
  const way = await openMail(draft);
  await recordExported(context, [film], "mail");
  return { way, fileName };
}
