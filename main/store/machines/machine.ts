import { randomUUID } from "node:crypto";
import { mkdirSync, readFileSync } from "node:fs";
import { isIP } from "node:net";
import { hostname } from "node:os";
import path from "node:path";
import { z } from "zod";
import { replacePrivateFile } from "../private-file.ts";

const identity = z.object({ id: z.uuid(), name: z.string() });
/** This machine among those that share a store. */
export type Machine = Readonly<z.infer<typeof identity>>;

/**
 * Who this machine is, made when it is first asked for. A data directory that was copied to a machine of another name is
 * another one: two programs under one id would take each other's work for their own.
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

/** Removes the domain, which on a laptop depends on the network: name.local, name.fritz.box. */
function withoutDomain(host: string): string {
  return isIP(host) === 0 ? host.replace(/\..*/s, "") : host;
}

function readIdentity(file: string): Machine | null {
  try {
    return identity.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch {
    return null;
  }
}
