import type { DatabaseAddress } from "../../../core/contract/desktop/practice/database.ts";

const known = new Set(["host", "sslmode", "sslrootcert"]);

/** Fields of a postgres://… address; null if it is not one, or has parts without a field. */
export function fieldsOfAddress(pasted: string): DatabaseAddress | null {
  const text = pasted.trim();
  const url = URL.parse(text) ?? URL.parse(text.replace("@/", "@localhost/"));
  if (!url || !["postgres:", "postgresql:"].includes(url.protocol)) return null;
  if ([...url.searchParams.keys()].some((name) => !known.has(name))) return null;
  try {
    return {
      host:
        url.searchParams.get("host") ?? (decodeURIComponent(url.hostname).replace(/^\[(.*)\]$/, "$1") || "localhost"),
      port: Number(url.port || "5432"),
      database: decodeURIComponent(url.pathname.slice(1)),
      user: decodeURIComponent(url.username),
      password: decodeURIComponent(url.password),
      authorityFile: url.searchParams.get("sslrootcert") ?? "",
    };
  } catch {
    return null;
  }
}
