import { z } from "zod";
import { isVersion } from "./version.ts";

const installerKinds = ["nsis", "zip", "AppImage", "deb"] as const;

const installerFile = z.strictObject({
  name: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9 ._+-]{0,199}$/, "must be a plain file name"),
  platform: z.enum(["win32", "darwin", "linux"]),
  arch: z.enum(["x64", "arm64"]),
  kind: z.enum(installerKinds),
  /** Base64 of SHA-512. */
  sha512: z.base64().length(88),
  sizeBytes: z.int().positive(),
});

export const releaseStatement = z.strictObject({
  product: z.literal("Corvet"),
  version: z.string().refine(isVersion, "must be a semantic version"),
  releasedAt: z.iso.datetime(),
  /** Fraction of installations that may install it automatically, 0–1. */
  share: z.number().min(0).max(1),
  migrations: z.array(z.string().max(200)).max(1000),
  changes: z.string().max(20_000),
  files: z.array(installerFile).min(1).max(50),
});

/** Stored as the signed text, so that verification does not depend on JSON formatting. */
export const signedRelease = z.strictObject({
  format: z.literal(1),
  statement: z.string().max(200_000),
  /** Base64 of the Ed25519 signature over the statement's UTF-8 bytes. */
  signature: z.base64().length(88),
});

export type ReleaseStatement = z.infer<typeof releaseStatement>;
export type InstallerFile = z.infer<typeof installerFile>;
export type InstallerTarget = Pick<InstallerFile, "platform" | "arch" | "kind">;

export function installerFor({ files }: ReleaseStatement, target: InstallerTarget): InstallerFile | null {
  const isRight = (file: InstallerFile) =>
    file.platform === target.platform && file.arch === target.arch && file.kind === target.kind;
  return files.find(isRight) ?? null;
}
