import { createPublicKey, sign, verify, type KeyObject } from "node:crypto";
import { AppError, because } from "../../../core/app-error.ts";
import { releaseStatement, signedRelease, type ReleaseStatement } from "../../../core/updates/release-statement.ts";

/** @param keys  trusted raw Ed25519 keys, base64 @throws AppError UPDATE_REFUSED */
export function openRelease(bytes: Uint8Array, keys: readonly string[]): ReleaseStatement {
  if (keys.length === 0) throw refused("updateKeyMissing");
  const signed = signedRelease.safeParse(parseJson(bytes));
  if (!signed.success) throw refused("updateIsNone");
  const { statement, signature } = signed.data;
  const isSigned = keys.some((key) =>
    verify(null, Buffer.from(statement), publicKeyOf(key), Buffer.from(signature, "base64")),
  );
  if (!isSigned) throw refused("updateUnsigned");
  const parsed = releaseStatement.safeParse(parseJson(Buffer.from(statement)));
  // Signed by a trusted key but unreadable: made for a later program.
  if (!parsed.success) throw refused("updateNotUnderstood");
  return parsed.data;
}

/** @param privateKey  Ed25519 */
export function signRelease(release: ReleaseStatement, privateKey: KeyObject): string {
  if (privateKey.asymmetricKeyType !== "ed25519")
    throw new AppError("INVALID_FIELD", "Releases are signed with Ed25519");
  const statement = JSON.stringify(releaseStatement.parse(release));
  const signature = sign(null, Buffer.from(statement), privateKey).toString("base64");
  return `${JSON.stringify({ format: 1, statement, signature }, null, 2)}\n`;
}

function refused(name: "updateKeyMissing" | "updateIsNone" | "updateUnsigned" | "updateNotUnderstood"): AppError {
  return new AppError("UPDATE_REFUSED", because(name));
}

function publicKeyOf(raw: string): KeyObject {
  const x = Buffer.from(raw, "base64").toString("base64url");
  return createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString("utf8"));
  } catch {
    return null;
  }
}
