import { randomUUID } from "node:crypto";
import { createServer, type Server } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { openPromise, type Entry, type ZipFile } from "yauzl";
import { AppError, because } from "../../../core/app-error.ts";
import { installerFor, type InstallerTarget, type ReleaseStatement } from "../../../core/updates/release-statement.ts";
import { statementName } from "./release-origin.ts";
import { openRelease } from "./signed-release.ts";

export type UpdateFile = {
  readonly release: ReleaseStatement;
  /** Unguessable loopback address that serves the folder until `close`. */
  readonly address: string;
  close(): Promise<void>;
};

const maxStatementBytes = 512 * 1024;
const maxEntries = 20;

/**
 * Opens a ZIP of the signed statement and one installer, which is verified after the download against the statement's
 * hash.
 *
 * @throws AppError UPDATE_REFUSED; Error if the statement cannot be read
 */
export async function openUpdateFile(
  file: string,
  keys: readonly string[],
  target: InstallerTarget,
): Promise<UpdateFile> {
  const archive = await openPromise(file, { lazyEntries: true, autoClose: false }).catch((cause: unknown) => {
    throw new AppError("UPDATE_REFUSED", because("updateIsNone"), { cause });
  });
  try {
    const entries = await listEntries(archive);
    const stated = entries.get(statementName);
    if (!stated || stated.uncompressedSize > maxStatementBytes) throw refused("updateIsNone");
    const release = openRelease(await buffer(await archive.openReadStreamPromise(stated)), keys);
    const installer = installerFor(release, target);
    const entry = installer && entries.get(installer.name);
    if (!installer || !entry) throw refused("updateForOthers");
    if (entry.uncompressedSize !== installer.sizeBytes) throw refused("updateDamaged");
    const { server, address } = await serve(archive, entry, installer.name);
    return {
      release,
      address,
      async close() {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
        archive.close();
      },
    };
  } catch (error) {
    archive.close();
    throw error;
  }
}

function refused(name: "updateIsNone" | "updateForOthers" | "updateDamaged"): AppError {
  return new AppError("UPDATE_REFUSED", because(name));
}

async function listEntries(archive: ZipFile): Promise<ReadonlyMap<string, Entry>> {
  if (archive.entryCount > maxEntries) throw refused("updateIsNone");
  const entries = new Map<string, Entry>();
  try {
    for await (const entry of archive.eachEntry()) entries.set(entry.fileName, entry);
  } catch (cause) {
    throw new AppError("UPDATE_REFUSED", because("updateIsNone"), { cause });
  }
  return entries;
}

/** Updaters only download from URLs. */
async function serve(
  archive: ZipFile,
  entry: Entry,
  name: string,
): Promise<{ readonly server: Server; readonly address: string }> {
  const folder = `/${randomUUID()}/`;
  const served = `${folder}${encodeURIComponent(name)}`;
  const server = createServer((request, response) => {
    if (request.url !== served) return void response.writeHead(404).end();
    response.writeHead(200, { "content-type": "application/octet-stream", "content-length": entry.uncompressedSize });
    // A read error truncates the response, so that the hash differs.
    archive
      .openReadStreamPromise(entry)
      .then((stream) => pipeline(stream, response))
      .catch(() => response.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return { server, address: `http://127.0.0.1:${port}${folder}` };
}
