import { randomUUID } from "node:crypto";
import { mkdir, readdir, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import type { HandoutFile } from "./report-handout.ts";

export type MailDraft = {
  readonly subject: string;
  readonly body: string;
  readonly attachment: string;
  readonly message: string;
};

/** Time after which a mail program is assumed to have read the files [ms]. */
const keptMs = 60 * 60 * 1000;

/** Writes a draft to the folder of exports, readable only by the user. */
export async function writeMailDraft(
  dataDir: string,
  { filmId, fileName, bytes }: HandoutFile & { readonly filmId: string },
  { subject, body }: Pick<MailDraft, "subject" | "body">,
): Promise<MailDraft> {
  const folder = path.join(draftsDir(dataDir), `${filmId}.${randomUUID()}`);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const attachment = path.join(folder, fileName);
  const message = path.join(folder, "message.eml");
  await writeFile(attachment, bytes, { mode: 0o600 });
  await writeFile(message, messageOf({ subject, body, fileName, bytes }), { mode: 0o600 });
  return { subject, body, attachment, message };
}

export async function deleteDraft({ message }: MailDraft): Promise<void> {
  await rm(path.dirname(message), { recursive: true, force: true });
}

/** Deletes drafts old enough to have been read by a mail program. */
export async function deleteOldDrafts(dataDir: string, now = Date.now()): Promise<void> {
  await deleteDrafts(dataDir, async (folder) => {
    const written = await stat(folder).catch(() => null);
    return written !== null && now - written.mtimeMs > keptMs;
  });
}

export async function deleteDraftsOf(dataDir: string, filmIds: readonly string[]): Promise<void> {
  const ids = new Set(filmIds);
  await deleteDrafts(dataDir, (folder) => ids.has(path.basename(folder).split(".")[0] ?? ""));
}

/** Windows cannot delete files that are open in a mail program; the next run deletes those drafts. */
async function deleteDrafts(dataDir: string, isOver: (folder: string) => boolean | Promise<boolean>): Promise<void> {
  const drafts = draftsDir(dataDir);
  for (const name of await readdir(drafts).catch(() => [])) {
    const folder = path.join(drafts, name);
    if (await isOver(folder)) await rm(folder, { recursive: true, force: true }).catch(() => undefined);
  }
}

function draftsDir(dataDir: string): string {
  return path.join(dataDir, "exports", "mail");
}

/**
 * Builds a message (RFC 5322, RFC 2045) without sender or recipient. The first two headers mark it as a draft for
 * Outlook and Thunderbird, and for Apple Mail.
 */
export function messageOf({
  subject,
  body,
  fileName,
  bytes,
}: Pick<MailDraft, "subject" | "body"> & HandoutFile): string {
  const boundary = `corvet-${randomUUID()}`;
  return [
    "X-Unsent: 1",
    "X-Uniform-Type-Identifier: com.apple.mail-draft",
    `Subject: ${encodedWords(subject)}`,
    "MIME-Version: 1.0",
    `Content-Type: multipart/mixed;\r\n boundary="${boundary}"`,
    "",
    `--${boundary}`,
    "Content-Type: text/plain; charset=utf-8",
    "Content-Transfer-Encoding: base64",
    "",
    base64Lines(Buffer.from(body.replace(/\r?\n/g, "\r\n"), "utf8")),
    `--${boundary}`,
    "Content-Type: application/pdf",
    "Content-Transfer-Encoding: base64",
    `Content-Disposition: attachment; filename*=utf-8''${encodedName(fileName)}`,
    "",
    base64Lines(bytes),
    `--${boundary}--`,
    "",
  ].join("\r\n");
}

/** Encodes a parameter value (RFC 8187), which allows fewer characters than a URL. */
function encodedName(text: string): string {
  return encodeURIComponent(text).replace(/['()*!]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** Encodes a header (RFC 2047) in words of whole characters, short enough for a line. */
function encodedWords(text: string): string {
  const words: string[] = [];
  let part = "";
  for (const character of text.replace(/[\r\n]+/g, " ")) {
    if (Buffer.byteLength(part + character, "utf8") > 39) {
      words.push(part);
      part = "";
    }
    part += character;
  }
  return [...words, part].map((word) => `=?utf-8?B?${Buffer.from(word, "utf8").toString("base64")}?=`).join("\r\n ");
}

function base64Lines(bytes: Uint8Array): string {
  return (
    Buffer.from(bytes)
      .toString("base64")
      .match(/.{1,76}/g) ?? []
  ).join("\r\n");
}
