import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Shell } from "electron";
import type { MailDraft } from "../services/results/mail-draft.ts";

const run = promisify(execFile);
/** Time limit for xdg-email [ms]. */
const openingMs = 15_000;

type MailShell = Pick<Shell, "openPath" | "openExternal" | "showItemInFolder">;

/** With xdg-email on Linux, else as a message file; failing that, a `mailto:` link and the attachment's folder. */
export async function openMail(
  shell: MailShell,
  draft: MailDraft,
  platform: NodeJS.Platform = process.platform,
): Promise<"attached" | "beside"> {
  const isOpen = platform === "linux" ? await openWithXdg(draft) : (await shell.openPath(draft.message)) === "";
  if (isOpen) return "attached";
  shell.showItemInFolder(draft.attachment);
  await shell.openExternal(
    `mailto:?subject=${encodeURIComponent(draft.subject)}&body=${encodeURIComponent(draft.body)}`,
  );
  return "beside";
}

async function openWithXdg({ subject, body, attachment }: MailDraft): Promise<boolean> {
  try {
    const words = ["--utf8", "--subject", subject, "--body", body, "--attach", attachment];
    await run("xdg-email", words, { timeout: openingMs });
    return true;
  } catch {
    return false;
  }
}
