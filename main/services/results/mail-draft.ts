import { randomUUID } from "node:crypto";
import { mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { draftFolder } from "../desktop/exports.ts";
import type { HandoutFile } from "./report-handout.ts";

export type MailDraft = {
  readonly subject: string;
  readonly body: string;
  readonly attachment: string;
  readonly message: string;
};

/** Writes a draft, readable only by the user, for the mail program to read within an hour. */
export async function writeMailDraft(
  dataDir: string,
  { filmId, fileName, bytes }: HandoutFile & { readonly filmId: string },
  { subject, body }: Pick<MailDraft, "subject" | "body">,
): Promise<MailDraft> {
  const folder = draftFolder(dataDir, filmId);
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
