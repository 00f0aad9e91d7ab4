import { Command } from "commander";
import { readFileSync } from "node:fs";
import { AppError } from "../../core/app-error.ts";
import { readManifest, readPack } from "../inference/packs/discover-packs.ts";
import { fingerprintOf, readPublicKey } from "../inference/packs/pack-signature.ts";
import { assertPackFiles, signPackFolder } from "../inference/packs/sign-pack-folder.ts";
import type { PackOrigin } from "../inference/packs/pack-trust.ts";
import { print } from "./running/run-program.ts";

type GivenSigning = { readonly key: string; readonly publisher: string; readonly releasedBy?: string };

export function packCommand(): Command {
  const pack = new Command("pack").description("sign, verify and inspect model packs").addHelpText(
    "after",
    `
A key: openssl genpkey -algorithm ed25519 -out private.pem; openssl pkey -in private.pem -pubout -out public.pem`,
  );
  pack
    .command("sign <folder>")
    .description("sign a pack")
    .requiredOption("--key <file>", "an Ed25519 private key (PEM)")
    .requiredOption("--publisher <name>", "name of the publisher")
    .option("--released-by <name>", "person responsible for the pack")
    .action((folder: string, { key, publisher, releasedBy }: GivenSigning) => {
      sign(folder, { keyFile: key, publisher, releasedBy: releasedBy ?? null });
      print(inspect(folder));
    });
  pack
    .command("verify <folder>")
    .description("check every file against signature and manifest")
    .option("--publisher-key <file>", "public key that must have signed the pack")
    .action((folder: string, { publisherKey }: { readonly publisherKey?: string }) =>
      print(verified(folder, publisherKey)),
    );
  pack
    .command("inspect <folder>")
    .description("show the claims and the signature of a pack")
    .action((folder: string) => print(inspect(folder)));
  return pack;
}

type SigningOrder = { readonly keyFile: string; readonly publisher: string; readonly releasedBy: string | null };

function sign(folder: string, { keyFile, publisher, releasedBy }: SigningOrder): void {
  signPackFolder(folder, readFileSync(keyFile, "utf8"), { publisher, releasedBy, signedAt: new Date().toISOString() });
}

function verified(folder: string, publisherKeyFile: string | undefined): string {
  const { manifest, origin } = readPack(folder);
  assertPackFiles(folder, manifest);
  if (origin === null)
    throw new AppError("PACK_REFUSED", `${manifest.name} is not signed. Its files match its manifest.`);
  if (publisherKeyFile !== undefined) {
    const wanted = fingerprintOf(readPublicKey(readFileSync(publisherKeyFile, "utf8")));
    if (wanted !== origin.fingerprint)
      throw new AppError("PACK_REFUSED", `${manifest.name} was signed with another key: ${origin.fingerprint}`);
  }
  return `${manifest.name} ${manifest.version}: every file is the one that was signed. ${signer(origin)}`;
}

function inspect(folder: string): string {
  const { manifest, origin } = readPack(folder);
  const claim = readManifest(folder).clinicallyValidated;
  return [
    `${manifest.name} ${manifest.version} (${manifest.kind}, ${manifest.modelVersion}, ${manifest.licence})`,
    origin === null ? "unsigned" : signer(origin),
    claim
      ? "Its publisher claims clinical validation; Corvet shows that only if the clinic has added the publisher."
      : "Not clinically validated.",
  ].join("\n");
}

function signer({ publisher, fingerprint, releasedBy, signedAt }: PackOrigin): string {
  const release = releasedBy === null ? "not released for clinical use" : `released by ${releasedBy}`;
  return `Signed by ${publisher} at ${signedAt}, ${release}. Key ${fingerprint}`;
}
