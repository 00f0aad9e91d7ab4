import { readFileSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { AppError } from "../../core/app-error.ts";
import { parseManifest, readPack } from "../inference/packs/discover-packs.ts";
import { fingerprintOf, readPublicKey } from "../inference/packs/pack-signature.ts";
import { assertPackFiles, signPackFolder } from "../inference/packs/sign-pack-folder.ts";
import type { PackOrigin } from "../inference/packs/pack-trust.ts";
import { runCommand, UsageError } from "./running/run-command.ts";

const usage = `pack sign    FOLDER --key FILE --publisher NAME [--released-by NAME]
                     signs a pack with an Ed25519 private key (PEM); --released-by names who answers for it
pack verify  FOLDER [--publisher-key FILE]
                     checks every file against signature and manifest and, given a publisher's public key, who signed it
pack inspect FOLDER  what the pack says about itself, and who signed it

A key: openssl genpkey -algorithm ed25519 -out private.pem; openssl pkey -in private.pem -pubout -out public.pem`;

const options = {
  key: { type: "string" },
  publisher: { type: "string" },
  "released-by": { type: "string" },
  "publisher-key": { type: "string" },
} as const;

runCommand("pack", usage, (args, print) => {
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
  const [verb = "", folder, ...rest] = positionals;
  if (!["sign", "verify", "inspect"].includes(verb)) throw new UsageError(`unknown verb ${verb}`);
  if (folder === undefined || rest.length > 0) throw new UsageError(`${verb} needs one FOLDER`);
  if (verb === "inspect") return print(inspect(folder));
  if (verb === "verify") return print(verified(folder, values["publisher-key"]));
  if (!values.key || !values.publisher) throw new UsageError("sign needs --key and --publisher");
  sign(folder, { keyFile: values.key, publisher: values.publisher, releasedBy: values["released-by"] ?? null });
  print(inspect(folder));
});

type SigningOrder = { readonly keyFile: string; readonly publisher: string; readonly releasedBy: string | null };

function sign(folder: string, { keyFile, publisher, releasedBy }: SigningOrder): void {
  signPackFolder(folder, readFileSync(keyFile, "utf8"), { publisher, releasedBy, signedAt: new Date().toISOString() });
}

function verified(folder: string, publisherKeyFile: string | undefined): string {
  const { manifest, origin } = readPack(folder);
  assertPackFiles(folder, manifest);
  if (origin === null)
    throw new AppError("PACK_REFUSED", `${manifest.name} is not signed. Its files are those of its manifest.`);
  if (publisherKeyFile !== undefined) {
    const wanted = fingerprintOf(readPublicKey(readFileSync(publisherKeyFile, "utf8")));
    if (wanted !== origin.fingerprint)
      throw new AppError("PACK_REFUSED", `${manifest.name} was signed with another key: ${origin.fingerprint}`);
  }
  return `${manifest.name} ${manifest.version}: every file is the one that was signed. ${signer(origin)}`;
}

function inspect(folder: string): string {
  const { manifest, origin } = readPack(folder);
  const claim = parseManifest(readFileSync(path.join(folder, "manifest.json"))).clinicallyValidated;
  return [
    `${manifest.name} ${manifest.version} (${manifest.kind}, ${manifest.modelVersion}, ${manifest.licence})`,
    origin === null ? "unsigned" : signer(origin),
    claim
      ? "Its maker calls it clinically validated; Corvet says so only if the clinic has added the publisher."
      : "Not clinically validated.",
  ].join("\n");
}

function signer({ publisher, fingerprint, releasedBy, signedAt }: PackOrigin): string {
  const release = releasedBy === null ? "not released for clinical use" : `released by ${releasedBy}`;
  return `Signed by ${publisher} at ${signedAt}, ${release}. Key ${fingerprint}`;
}
