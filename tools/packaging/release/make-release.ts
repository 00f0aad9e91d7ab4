import { createPrivateKey, createPublicKey, type KeyObject } from "node:crypto";
import { createWriteStream, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { ZipFile } from "yazl";
import type { InstallerFile, ReleaseStatement } from "../../../core/updates/release-statement.ts";
import { UsageError } from "../../../main/commands/running/run-program.ts";
import { programDir, programVersion } from "../../../main/program.ts";
import { statementName, updateFileExtension } from "../../../main/services/updates/release-origin.ts";
import { openRelease, signRelease } from "../../../main/services/updates/signed-release.ts";
import { changesOf, listInstallers } from "./release-files.ts";

/**
 * Lists the installers of a folder in a signed statement, and creates an offline update file for each.
 *
 * @param keys  keys trusted by the program, with which the signature is verified
 * @returns     names of the files written next to the installers
 * @throws UsageError if there is nothing to release, or the key is invalid or not trusted by the program
 */
export async function makeRelease(
  folder: string,
  {
    share,
    privateKey,
    keys,
  }: { readonly share: number; readonly privateKey: string; readonly keys: readonly string[] },
): Promise<readonly string[]> {
  const key = readKey(privateKey);
  const files = await listInstallers(folder);
  if (files.length === 0) throw new UsageError(`There is no installer in ${folder}`);
  const release: ReleaseStatement = {
    product: "Corvet",
    version: programVersion,
    releasedAt: new Date().toISOString(),
    share,
    migrations: readdirSync(path.join(programDir, "main", "store", "migrations")).filter((name) => /\.sql$/.test(name)),
    changes: changesOf(readFileSync(path.join(programDir, "CHANGELOG.md"), "utf8"), programVersion).slice(0, 20_000),
    files,
  };
  const statement = signRelease(release, key);
  const own = Buffer.from(createPublicKey(key).export({ format: "jwk" }).x ?? "", "base64url").toString("base64");
  if (!keys.includes(own))
    throw new UsageError(`The key ${own} is not one of the program's release keys (release-origin.ts)`);
  openRelease(Buffer.from(statement), keys);
  writeFileSync(path.join(folder, statementName), statement);
  const updateFiles: string[] = [];
  for (const file of files) updateFiles.push(await makeUpdateFile(folder, file, statement));
  return [statementName, ...updateFiles];
}

function readKey(pem: string): KeyObject {
  try {
    const key = createPrivateKey(pem);
    if (key.asymmetricKeyType === "ed25519") return key;
  } catch {
    // OpenSSL's message does not help the user.
  }
  throw new UsageError("The signing key must be an Ed25519 key in PEM (docs/installers.md)");
}

/** Without compression, since installers are already compressed. */
async function makeUpdateFile(folder: string, file: InstallerFile, statement: string): Promise<string> {
  const { name, platform, arch, kind } = file;
  const updateName = `Corvet-${programVersion}-${platform}-${arch}-${kind}.${updateFileExtension}`;
  const zip = new ZipFile();
  zip.addBuffer(Buffer.from(statement), statementName, { compress: false });
  zip.addFile(path.join(folder, name), name, { compress: false });
  zip.end();
  await pipeline(zip.outputStream, createWriteStream(path.join(folder, updateName)));
  return updateName;
}
