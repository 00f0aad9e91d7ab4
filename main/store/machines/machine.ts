import { randomUUID } from "node:crypto";
import { mkdirSync, readFileSync } from "node:fs";
import { isIP } from "node:net";
import { hostname } from "node:os";
import path from "node:path";
import { z } from "zod";
import { assertReadable, replacePrivateFile } from "../files/private-file.ts";

const identity = z.object({ id: z.uuid(), name: z.string() });
/** This workstation among those that share a store. */
export type Machine = Readonly<z.infer<typeof identity>>;

/**
 * Identity of this workstation. A data directory copied to a computer of another name gets a new one, since two
 * programs with one id would adopt each other's work.
 *
 * @throws SystemError if its file exists and cannot be read
 */
export function machineOf(dataDir: string, host = hostname()): Machine {
  const file = path.join(dataDir, "machine.json");
  const known = readIdentity(file);
  const name = withoutDomain(host);
  if (known && withoutDomain(known.name) === name) return known;
  const made = { id: randomUUID(), name };
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  replacePrivateFile(file, `${JSON.stringify(made, null, 2)}\n`);
  return made;
}

/** On a laptop the domain depends on the network: name.local, name.fritz.box. */
function withoutDomain(host: string): string {
  return isIP(host) === 0 ? host.replace(/\..*/s, "") : host;
}

function readIdentity(file: string): Machine | null {
  try {
    return identity.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch (error) {
    assertReadable(error);
    return null;
  }
}
