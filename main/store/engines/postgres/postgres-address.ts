import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import type { ConnectionOptions } from "node:tls";
import { AppError } from "../../../../core/app-error.ts";
import type { DatabaseAddress } from "../../../../core/contract/desktop/practice/database.ts";
import { systemCertificates } from "../../../certificates/system-certificates.ts";
import { createHosts, type PostgresHost } from "./hosts.ts";

export type PostgresAddress = ReturnType<typeof readPostgresAddress>;

const defaultPort = 5432;
const parameters = ["host", "sslmode", "sslrootcert", "target_session_attrs"];

/**
 * Parses `postgres://user:password@host:port/database`; `?host=/folder` names the folder of a socket. Connections to
 * other computers are encrypted and verify the host name in the certificate (`sslmode=verify-full`, against the
 * system's authorities or those in the file `sslrootcert`); connections to this computer only on request.
 *
 * @returns `host`, `port`, `ssl`: those of the first host; `user` undefined: that of the operating system; `password`
 *   undefined: none is needed or `.pgpass` contains it; `place`: as shown to users and in logs, without either
 * @throws AppError STORE_UNAVAILABLE if the address is invalid or requests less encryption; never contains the password
 */
export function readPostgresAddress(url: string) {
  const [first, ...others] = urlsOf(url).map(readOne);
  if (!first) throw refusal("it cannot be read");
  const { host, port, ssl, database, user, password, isReadWrite } = first;
  const all = [first, ...others] as const;
  return {
    ...{ host, port, ssl },
    hosts: createHosts(
      all.map(({ host, port, ssl }) => ({ host, port, ssl })) as [PostgresHost],
      isReadWrite || others.length > 0,
    ),
    database,
    user,
    password,
    place: `postgres://${all.map(({ shown }) => shown).join(",")}/${database}`,
  };
}

/** Splits an address into one per host, because `URL` cannot parse several hosts. */
function urlsOf(url: string): readonly string[] {
  const [, start = "", hosts = "", rest = ""] = /^([a-z]+:\/\/(?:[^@/?]*@)?)([^/?]*)(.*)$/s.exec(url) ?? [];
  const sockets = /([?&]host=)([^&]*)/.exec(rest);
  if (sockets?.[2]?.includes(",") && sockets[0])
    return sockets[2].split(",").map((host) => start + hosts + rest.replace(sockets[0], `${sockets[1]}${host}`));
  return hosts.includes(",") ? hosts.split(",").map((host) => start + host + rest) : [url];
}

function readOne(url: string) {
  const { protocol, hostname, port, pathname, username, password, searchParams } = parse(url);
  if (!["postgres:", "postgresql:"].includes(protocol)) throw refusal("it must begin with postgres://");
  const unknown = [...searchParams.keys()].find((name) => !parameters.includes(name));
  if (unknown !== undefined) throw refusal(`the parameter ${unknown}= is not supported, only ${parameters.join(", ")}`);
  const host = searchParams.get("host") ?? (decoded(hostname).replace(/^\[(.*)\]$/, "$1") || "localhost");
  const database = decoded(pathname.slice(1));
  if (database === "") throw refusal("it must name a database");
  const wanted = searchParams.get("target_session_attrs");
  if (wanted !== null && wanted !== "read-write")
    throw refusal(`target_session_attrs=${wanted} is not possible, only read-write`);
  return {
    host,
    port: Number(port || defaultPort),
    database,
    user: decoded(username) || undefined,
    password: decoded(password) || undefined,
    ssl: encryptionOf(host, searchParams),
    isReadWrite: wanted !== null,
    shown: host.startsWith("/") ? host : `${isIP(host) === 6 ? `[${host}]` : host}:${port || defaultPort}`,
  };
}

export function writePostgresAddress({ host, port, database, ...parts }: Readonly<DatabaseAddress>): string {
  const isSocket = host.startsWith("/");
  const { user, password, authorityFile } = parts;
  const who = password === "" ? encodeURIComponent(user) : [user, password].map(encodeURIComponent).join(":");
  const hosts = host.split(",").map((one) => one.trim());
  const where = isSocket ? [`localhost:${port}`] : hosts.map((one) => `${isIP(one) === 6 ? `[${one}]` : one}:${port}`);
  const said = new URLSearchParams({
    ...(isSocket && { host }),
    ...(hosts.length > 1 && { target_session_attrs: "read-write" }),
    ...(authorityFile !== "" && { sslmode: "verify-full", sslrootcert: authorityFile }),
  }).toString();
  return `postgres://${who && `${who}@`}${where.join(",")}/${encodeURIComponent(database)}${said && `?${said}`}`;
}

/** Parses a URL; adds the missing host of `user@/database?host=`, which PostgreSQL allows but `URL` does not. */
function parse(url: string): URL {
  const parsed = URL.parse(url) ?? URL.parse(url.replace("@/", "@localhost/"));
  if (!parsed) throw refusal("it cannot be read");
  return parsed;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch (error) {
    throw refusal("it cannot be read; write % as %25", error);
  }
}

function encryptionOf(host: string, searchParams: URLSearchParams): ConnectionOptions | false {
  const isHere = host.startsWith("/") || isLoopback(host);
  const mode = searchParams.get("sslmode") ?? (isHere ? "disable" : "verify-full");
  if (mode === "disable" && isHere) return false;
  if (mode !== "verify-full")
    throw refusal(`sslmode=${mode} is not enough: another machine is reached with sslmode=verify-full`);
  const file = searchParams.get("sslrootcert");
  const ca = file === null ? systemCertificates() : certificatesIn(file);
  return { host, rejectUnauthorized: true, minVersion: "TLSv1.2", ca };
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || (isIP(host) === 4 && host.startsWith("127."));
}

function certificatesIn(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw refusal(`the certificates in ${file} cannot be read`, error);
  }
}

function refusal(problem: string, cause?: unknown): AppError {
  return new AppError("STORE_UNAVAILABLE", `The address of the database cannot be used: ${problem}.`, { cause });
}
