import type { DesktopRequest, DesktopResponse } from "../../core/contract/desktop.ts";
import type { DicomNode, SendFailure } from "../../core/contract/desktop/network/dicom.ts";
import { call } from "../state/connection.ts";
import { useSendProgress } from "../state/transfers/progress.ts";
import { textNow, useLanguage } from "../ui/language/language.ts";
import { saveTextFile, saveUrl } from "../ui/save-file.ts";
import { showToast } from "../ui/notes/toasts.ts";
import type { Choices } from "./export-choices.tsx";

type Films = DesktopRequest<"deidentify.export">["films"];

export async function saveWithoutNames(films: Films, choices: Choices, exportId: string): Promise<void> {
  const contents = [...choices.contents];
  const { language } = useLanguage.getState();
  const answer = await call("deidentify.export", { exportId, films, ...choices, contents, language });
  saveUrl(answer.download.url, answer.download.fileName);
  showResult(answer, textNow()("deidentify.exported", { count: answer.films }), "deidentify.skipped");
}

/** @returns reason why not all were stored; null on success */
export async function sendWithoutNames(
  films: Films,
  { dates, descriptors, keepsPatient, withKeyFile }: Choices,
  { node, sendId }: { readonly node: DicomNode; readonly sendId: string },
): Promise<SendFailure | null> {
  const choices = { dates, descriptors, keepsPatient, withKeyFile };
  const sending = call("deidentify.send", { films, ...choices, sendId, nodeId: node.id });
  const answer = await sending.finally(() => useSendProgress.getState().forget(sendId));
  // Also after a failure, since only this file maps the pseudonyms in the objects already received to patients.
  const sent = textNow()("deidentify.sent", { name: node.name, count: answer.films });
  showResult(answer, answer.failure && answer.films === 0 ? null : sent, "deidentify.notSent");
  return answer.failure;
}

type Answer = Pick<DesktopResponse<"deidentify.send">, "keyFile" | "skipped">;

function showResult(
  { keyFile, skipped }: Answer,
  done: string | null,
  left: "deidentify.skipped" | "deidentify.notSent",
) {
  if (keyFile) saveTextFile(keyFile);
  if (done !== null) showToast("note", done);
  if (skipped.length > 0) showToast("note", textNow()(left, { count: skipped.length }));
}
