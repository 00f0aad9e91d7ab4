import type { Failure } from "../../core/contract/desktop/shapes.ts";
import { ProgramError, fetchOrOffline } from "../state/connection.ts";
import { saveUrl } from "../ui/save-file.ts";

export type MailWords = { readonly subject: string; readonly body: string };

/**
 * Opens an e-mail with a file attached through the share dialog of the system (Windows, macOS, tablets). Without that
 * dialog, saves the file for manual attachment and opens an e-mail with the text.
 */
export async function mailFile(
  file: { readonly url: string; readonly fileName: string },
  { subject, body }: MailWords,
): Promise<"shared" | "saved"> {
  const blob = await fetchFile(file.url);
  const attachment = new File([blob], file.fileName, { type: "application/pdf" });
  const shared = { files: [attachment], title: subject, text: body };
  if (typeof navigator.canShare === "function" && navigator.canShare(shared)) {
    await navigator.share(shared).catch((error: unknown) => {
      // Closing the system's dialog is not a failure.
      if (!(error instanceof DOMException && error.name === "AbortError")) throw error;
    });
    return "shared";
  }
  const url = URL.createObjectURL(blob);
  saveUrl(url, file.fileName);
  URL.revokeObjectURL(url);
  openMessage(subject, body);
  return "saved";
}

export async function fetchFile(url: string): Promise<Blob> {
  const response = await fetchOrOffline(() => fetch(url));
  if (!response.ok) throw new ProgramError((await response.json()) as Failure);
  return response.blob();
}

function openMessage(subject: string, body: string): void {
  const link = document.createElement("a");
  link.href = `mailto:?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(body)}`;
  document.body.append(link);
  link.click();
  link.remove();
}
