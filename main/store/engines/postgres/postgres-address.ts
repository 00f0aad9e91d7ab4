import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import type { ConnectionOptions } from "node:tls";
import { AppError } from "../../../../core/app-error.ts";
import { systemCertificates } from "../../../certificates/system-certificates.ts";

/** Where a PostgreSQL database is and how it is reached. */
export type PostgresAddress = {
  /** Name or address of the machine, or the folder of a socket. */
  readonly host: string;
  readonly port: number;
  readonly database: string;
  /** Whom the database asks for; undefined: as the system is signed in. */
  readonly user: string | undefined;
  /** Undefined where none is asked for, or where `.pgpass` has it. */
  readonly password: string | undefined;
  /** Encrypted, with the server's certificate checked; false on this machine. */
  readonly ssl: ConnectionOptions | false;
  /** The address as people and logs may see it: without user and password. */
  readonly place: string;
};

const defaultPort = 5432;
const parameters = ["host", "sslmode", "sslrootcert"];

/**
 * Reads `postgres://user:password@host:port/database`. A socket's folder stands as `?host=/folder`. Other machines are
 * reached encrypted, with the name in their certificate checked (`sslmode=verify-full`, against the authorities that
 * Node knows or those of the file `sslrootcert`); on this machine that is so where it is asked for.
 *
 * @throws AppError STORE_UNAVAILABLE when it is none, or asks for less than that; never says the password
 */
export function readPostgresAddress(url: string): PostgresAddress {
  const { protocol, hostname, port, pathname, username, password, searchParams } = parse(url);
  if (!["postgres:", "postgresql:"].includes(protocol)) throw refusal("it must begin with postgres://");
  const stranger = [...searchParams.keys()].find((name) => !parameters.includes(name));
  if (stranger !== undefined) throw refusal(`it does not know ${stranger}=, only ${parameters.join(", ")}`);
  const host = searchParams.get("host") ?? (decodeURIComponent(hostname).replace(/^\[(.*)\]$/, "$1") || "localhost");
  const database = decodeURIComponent(pathname.slice(1));
  if (database === "") throw refusal("it must name a database");
  const isSocket = host.startsWith("/");
  const shown = isSocket ? `${host}/` : `${isIP(host) === 6 ? `[${host}]` : host}:${port || defaultPort}/`;
  return {
    host,
    port: Number(port || defaultPort),
    database,
    user: decodeURIComponent(username) || undefined,
    password: decodeURIComponent(password) || undefined,
    ssl: encryptionOf(host, searchParams),
    place: `postgres://${shown}${database}`,
  };
}

/** What an address is made of. */
export type AddressParts = Pick<PostgresAddress, "host" | "port" | "database"> & {
  /** "": as the system is signed in. */
  readonly user: string;
  /** "": none. */
  readonly password: string;
  /** Path of the certificates of its authority; "": those that Node knows. */
  readonly authorityFile: string;
};

/** The address that says this. @see readPostgresAddress */
export function writePostgresAddress({ host, port, database, ...parts }: AddressParts): string {
  const isSocket = host.startsWith("/");
  const { user, password, authorityFile } = parts;
  const who = password === "" ? encodeURIComponent(user) : [user, password].map(encodeURIComponent).join(":");
  const where = isSocket ? "localhost" : isIP(host) === 6 ? `[${host}]` : host;
  const said = new URLSearchParams({
    ...(isSocket && { host }),
    ...(authorityFile !== "" && { sslmode: "verify-full", sslrootcert: authorityFile }),
  }).toString();
  return `postgres://${who && `${who}@`}${where}:${port}/${encodeURIComponent(database)}${said && `?${said}`}`;
}

/** A user without a host, as PostgreSQL allows it beside `?host=`, is no URL. */
function parse(url: string): URL {
  const parsed = URL.parse(url) ?? URL.parse(url.replace("@/", "@localhost/"));
  if (!parsed) throw refusal("it cannot be read");
  return parsed;
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
