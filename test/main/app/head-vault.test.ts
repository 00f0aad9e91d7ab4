import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { SafeStorage } from "electron";
import { expect, test } from "vitest";
import { openHeadVault } from "../../../main/app/head-vault.ts";
import { folderForEach } from "../../fixtures/folders.ts";

const folder = folderForEach();

const storage = (isAvailable: boolean): SafeStorage =>
  ({
    isEncryptionAvailable: () => isAvailable,
    encryptString: (text: string) => Buffer.from(`sealed${Buffer.from(text).toString("hex")}`),
    decryptString: (bytes: Buffer) => {
      const text = bytes.toString("utf8");
      if (!text.startsWith("sealed")) throw new Error("not sealed here");
      return Buffer.from(text.slice(6), "hex").toString("utf8");
    },
  }) as unknown as SafeStorage;
const head = { ledgerSeq: 7, ledgerHash: "a", sealSeq: 3, sealHash: "b", atMs: 1 };

test("stores the head of the record encrypted and ignores an unencrypted head", () => {
  const file = path.join(folder(), "head");
  const vault = openHeadVault(storage(true), file);
  expect(vault?.read()).toBeNull();
  vault?.keep(head);
  expect([vault?.read(), readFileSync(file, "utf8").includes("ledgerHash")]).toEqual([head, false]);
  writeFileSync(file, JSON.stringify({ ...head, ledgerSeq: 1 }));
  expect(vault?.read()).toBeNull();
});

test("returns null without a key store of the operating system", () => {
  expect(openHeadVault(storage(false), path.join(folder(), "head"))).toBeNull();
});
