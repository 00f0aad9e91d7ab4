import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openMail } from "../../../main/app/mail.ts";
import { messageOf, writeMailDraft } from "../../../main/services/results/mail-draft.ts";
import { folderForTest } from "../../fixtures/folders.ts";

const words = { subject: "Müller, Bella: heart size & more", body: "Please find attached…\nDr Weber" };
const handout = {
  filmId: "film",
  fileName: "Mueller_Bella_2026-11-21_VHS.pdf",
  bytes: Buffer.from("%PDF-1.7 handout"),
};

function desktop(fault = "") {
  const asked: string[][] = [];
  return {
    asked,
    openPath: async (file: string) => (asked.push(["openPath", file]), fault),
    openExternal: async (address: string) => void asked.push(["openExternal", address]),
    showItemInFolder: (file: string) => void asked.push(["showItemInFolder", file]),
  };
}

const draft = () => writeMailDraft(folderForTest(), handout, words);

describe("a message with a handout", () => {
  const before = process.env["PATH"];
  let folder = "";
  beforeEach(() => void (folder = folderForTest()));
  afterEach(() => void (process.env["PATH"] = before));

  it("is a file with text and attachment that mail programs open as a draft", async () => {
    const { message, attachment } = await draft();
    expect(readFileSync(attachment)).toEqual(handout.bytes);
    const said = readFileSync(message, "utf8");
    expect(said).toMatch(/^X-Unsent: 1\r\nX-Uniform-Type-Identifier: com\.apple\.mail-draft\r\n/);
    const parts = [...said.matchAll(/base64\r\n(?:Content-Disposition.*\r\n)?\r\n([A-Za-z0-9+/=\r\n]+)\r\n--/g)];
    expect(parts.map(([, text]) => Buffer.from(text!, "base64").toString())).toEqual([
      words.body.replace("\n", "\r\n"),
      handout.bytes.toString(),
    ]);
    expect(path.basename(attachment)).toBe(handout.fileName);
    const modes = [message, attachment].map((file) => statSync(file).mode & 0o777);
    if (process.platform !== "win32") expect(modes).toEqual([0o600, 0o600]);
  });

  it("encodes the name of its attachment for all mail programs", () => {
    const message = messageOf({ ...words, ...handout, fileName: "O'Malley (2)*.pdf" });
    expect(message).toContain("filename*=utf-8''O%27Malley%20%282%29%2A.pdf\r\n");
  });

  it("preserves all characters of the subject without header injection", () => {
    const subject = `${"Ähre – ".repeat(20)}\r\nBcc: someone@example.com`;
    const [head] = messageOf({ ...words, ...handout, subject }).split("\r\n\r\n");
    expect(head).not.toMatch(/^Bcc:/m);
    expect(head!.split("\r\n").every((line) => line.length <= 78)).toBe(true);
    const found = [...head!.matchAll(/=\?utf-8\?B\?([^?]+)\?=/g)].map(([, text]) => Buffer.from(text!, "base64"));
    expect(Buffer.concat(found).toString()).toBe(subject.replace("\r\n", " "));
  });

  it("is opened as a file on Windows and macOS", async () => {
    for (const platform of ["win32", "darwin"] as const) {
      const shell = desktop();
      const waiting = await draft();
      expect(await openMail(shell, waiting, platform)).toBe("attached");
      expect(shell.asked).toEqual([["openPath", waiting.message]]);
    }
  });

  it("is passed to xdg-email on Linux, with unchanged text", async () => {
    const told = path.join(folder, "told");
    writeFileSync(path.join(folder, "xdg-email"), `#!/bin/sh\nprintf '%s\\n' "$@" > ${told}\n`);
    chmodSync(path.join(folder, "xdg-email"), 0o755);
    process.env["PATH"] = `${folder}:${before}`;
    const shell = desktop();
    const waiting = await draft();
    expect([await openMail(shell, waiting, "linux"), shell.asked]).toEqual(["attached", []]);
    expect(readFileSync(told, "utf8")).toBe(
      ["--utf8", "--subject", words.subject, "--body", words.body, "--attach", waiting.attachment, ""].join("\n"),
    );
  });

  it("falls back to a mailto link and shows the handout in its folder", async () => {
    process.env["PATH"] = folder;
    for (const platform of ["linux", "win32"] as const) {
      const shell = desktop("no application");
      const waiting = await draft();
      expect(await openMail(shell, waiting, platform)).toBe("beside");
      expect(shell.asked.slice(-2)).toEqual([
        ["showItemInFolder", waiting.attachment],
        ["openExternal", `mailto:?subject=${encodeURIComponent(words.subject)}&body=${encodeURIComponent(words.body)}`],
      ]);
      expect(existsSync(waiting.attachment)).toBe(true);
    }
  });
});
