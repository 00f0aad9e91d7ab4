import { createPrivateKey, createPublicKey } from "node:crypto";
import path from "node:path";
import { corvetPublicKey } from "../../main/inference/packs/corvet-publisher.ts";
import { fingerprintOf, readPublicKey } from "../../main/inference/packs/pack-signature.ts";
import { signPackFolder } from "../../main/inference/packs/sign-pack-folder.ts";
import { listPackNames } from "./package-content.ts";

/** Environment variables: the private key as PEM, and the name of the person responsible for the release. */
const signingVariables = { key: "CORVET_PACK_SIGNING_KEY", releasedBy: "CORVET_PACK_RELEASED_BY" } as const;

export function signPackagedPacks(
  packsDir: string,
  environment: NodeJS.ProcessEnv = process.env,
  publicKey = corvetPublicKey,
): { readonly said: string; readonly faults: readonly string[] } {
  const privateKey = environment[signingVariables.key];
  if (!privateKey) return { said: `The packs are unsigned: ${signingVariables.key} is not set.`, faults: [] };
  const own = readPublicKey(
    createPublicKey(createPrivateKey(privateKey)).export({ type: "spki", format: "pem" }).toString(),
  );
  const faults =
    own === publicKey ? [] : [`${signingVariables.key} does not belong to the key in corvet-publisher.ts (${own})`];
  const release = {
    publisher: "Corvet",
    // Workflows set undefined variables to an empty string.
    releasedBy: environment[signingVariables.releasedBy] || null,
    signedAt: new Date().toISOString(),
  };
  const names = listPackNames(packsDir);
  for (const name of names) signPackFolder(path.join(packsDir, name), privateKey, release);
  return { said: `${names.length} packs signed with the key ${fingerprintOf(own)}.`, faults };
}
