import { createHash, generateKeyPairSync, sign as signBytes } from "node:crypto";
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { AppError } from "../../../../core/app-error.ts";
import { createEngine } from "../../../../main/inference/engine.ts";
import { runCommand } from "../../../fixtures/process/corvet-command.ts";
import { discoverPacks } from "../../../../main/inference/packs/discover-packs.ts";
import {
  fingerprintOf,
  isSignatureValid,
  parseSignature,
  readPublicKey,
} from "../../../../main/inference/packs/pack-signature.ts";
import { signPackFolder } from "../../../../main/inference/packs/sign-pack-folder.ts";
import { signPackagedPacks } from "../../../../tools/packaging/sign-packs.ts";
import { folderForEach } from "../../../fixtures/folders.ts";

const tinyGate = fileURLToPath(new URL("../../../fixtures/packs/tiny-gate", import.meta.url));
const { privateKey, publicKey } = generateKeyPairSync("ed25519");
const privatePem = privateKey.export({ type: "pkcs8", format: "pem" }) as string;
const publicPem = publicKey.export({ type: "spki", format: "pem" }) as string;
const vendor = { name: "Vendor", publicKey: readPublicKey(publicPem) };
const release = { publisher: "Self-named", releasedBy: "Dr. Jane Doe", signedAt: "2026-11-22T03:00:00.000Z" };

const folder = folderForEach();
let pack: string;
beforeEach(() => {
  pack = path.join(folder(), "tiny-gate");
  cpSync(tinyGate, pack, { recursive: true });
  const manifest = JSON.parse(readFileSync(path.join(pack, "manifest.json"), "utf8")) as object;
  const claimed = {
    ...manifest,
    clinicallyValidated: true,
    release: { publisher: "me", fingerprint: "", releasedBy: "me" },
  };
  writeFileSync(path.join(pack, "manifest.json"), JSON.stringify(claimed));
});

const only = (publishers = [vendor]) => discoverPacks([folder()], publishers);
const reasons = () => only().refused.map(({ reason }) => reason);
const edit = (name: string, change: (text: string) => string) =>
  writeFileSync(path.join(pack, name), change(readFileSync(path.join(pack, name), "utf8")));

describe("a pack that claims to be clinically validated", () => {
  it("requires an added publisher's signature and a releasing person", () => {
    const verdicts = () => {
      const [found] = only().packs;
      return [found?.manifest.clinicallyValidated, found?.manifest.release ?? null];
    };
    expect(verdicts()).toEqual([false, null]);
    signPackFolder(pack, privatePem, { ...release, releasedBy: null });
    expect(verdicts()).toEqual([false, null]);
    signPackFolder(pack, privatePem, release);
    expect(verdicts()).toEqual([
      true,
      { publisher: "Vendor", fingerprint: fingerprintOf(vendor.publicKey), releasedBy: "Dr. Jane Doe" },
    ]);
    const [unknown] = only([]).packs;
    expect(unknown).toMatchObject({
      manifest: { clinicallyValidated: false },
      origin: { publisher: "Self-named", isKnown: false },
    });
  });

  it("is reported by the engine with publisher and person, until the publisher is removed", async () => {
    rmSync(pack, { recursive: true });
    const landmarks = path.join(folder(), "landmarks");
    mkdirSync(landmarks);
    const manifest = JSON.parse(readFileSync("models/packs/landmarks-corvet/manifest.json", "utf8")) as {
      members: { file: string }[];
    };
    const members = manifest.members.slice(0, 2);
    for (const { file } of members)
      cpSync(path.join("models/packs/landmarks-corvet", file), path.join(landmarks, file));
    const withoutOthers = { locator: undefined, column: undefined, heart: undefined };
    const claimed = { ...manifest, ...withoutOthers, members, clinicallyValidated: true };
    writeFileSync(path.join(landmarks, "manifest.json"), JSON.stringify(claimed));
    signPackFolder(landmarks, privatePem, release);
    const publishers = [vendor];
    const log = { warn: () => undefined, error: () => undefined };
    const engine = await createEngine({
      packFolders: [folder()],
      publishers: () => Promise.resolve(publishers),
      programVersion: "0",
      log,
    });
    expect(engine.health()).toMatchObject({
      packs: [{ state: "active" }],
      release: { publisher: "Vendor", releasedBy: "Dr. Jane Doe" },
    });
    publishers.pop();
    await engine.reload();
    expect(engine.health()).toMatchObject({
      packs: [{ state: "active" }],
      release: null,
    });
    await engine.close();
  });
});

it("keeps the signature of a pack if signing it again fails", () => {
  signPackFolder(pack, privatePem, release);
  const before = readdirSync(pack);
  const signature = readFileSync(path.join(pack, "signature.json"), "utf8");
  edit("manifest.json", (text) => text.replace(/"sha256":"[0-9a-f]{64}"/, `"sha256":"${"0".repeat(64)}"`));
  expect(() => signPackFolder(pack, privatePem, release)).toThrow(expect.objectContaining({ code: "PACK_REFUSED" }));
  expect(readFileSync(path.join(pack, "signature.json"), "utf8")).toBe(signature);
  expect(readdirSync(pack)).toEqual(before);
});

describe("an invalid signature", () => {
  beforeEach(() => signPackFolder(pack, privatePem, release));

  it.each<readonly [string, string, () => void]>([
    ["the card was changed", "CARD.md is not the file that was signed", () => edit("CARD.md", (text) => `${text} `)],
    [
      "the manifest was changed",
      "manifest.json is not the file that was signed",
      () => edit("manifest.json", (text) => text.replace('"fixture"', '"better"')),
    ],
    ["a file was added", "more.txt is not signed", () => writeFileSync(path.join(pack, "more.txt"), "")],
    ["a file is missing", "the signed file CARD.md is missing", () => rmSync(path.join(pack, "CARD.md"))],
    [
      "another person is named",
      "the signature is wrong",
      () => edit("signature.json", (text) => text.replace("Jane Doe", "John Doe")),
    ],
    ["it is not JSON", "signature.json is not JSON", () => edit("signature.json", () => "{")],
    [
      "it is a link",
      "signature.json is not a regular file",
      () => {
        cpSync(path.join(pack, "signature.json"), path.join(folder(), "elsewhere.json"));
        rmSync(path.join(pack, "signature.json"));
        symlinkSync(path.join(folder(), "elsewhere.json"), path.join(pack, "signature.json"));
      },
    ],
    ["a folder is among the files", "inner is not a regular file", () => mkdirSync(path.join(pack, "inner"))],
  ])("refuses the pack if %s", (_, reason, change) => {
    expect(reasons()).toEqual([]);
    change();
    expect(reasons()).toEqual([reason]);
  });

  it("refuses weights that were replaced, with or without their hash", async () => {
    const bytes = readFileSync(path.join(pack, "tiny.onnx"));
    const other = Buffer.concat([bytes, Buffer.from([0])]);
    writeFileSync(path.join(pack, "tiny.onnx"), other);
    const log = { warn: () => undefined, error: () => undefined };
    const engine = await createEngine({ packFolders: [folder()], programVersion: "0", log });
    expect(engine.health().packs[0]?.reason).toContain("tiny.onnx does not match its sha256");
    await engine.close();
    const hash = (of: Buffer) => createHash("sha256").update(of).digest("hex");
    edit("manifest.json", (text) => text.replace(hash(bytes), hash(other)));
    expect(reasons()).toEqual(["manifest.json is not the file that was signed"]);
  });

  it("accepts or refuses any text or change without a crash", () => {
    const signed = readFileSync(path.join(pack, "signature.json"), "utf8");
    const parsed = JSON.parse(signed) as Record<string, unknown>;
    const outcome = (json: string) => {
      try {
        return isSignatureValid(parseSignature(json)) ? "good" : "wrong";
      } catch (error) {
        return error instanceof AppError ? error.code : `bug: ${String(error)}`;
      }
    };
    const changed = fc
      .tuple(fc.constantFrom(...Object.keys(parsed)), fc.jsonValue())
      .filter(([key, value]) => JSON.stringify(parsed[key]) !== JSON.stringify(value))
      .map(([key, value]) => JSON.stringify({ ...parsed, [key]: value }));
    const bytes = fc
      .tuple(fc.nat(31), fc.integer({ min: 1, max: 255 }), fc.constantFrom("publicKey", "signature"))
      .map(([at, change, key]) => {
        const raw = Buffer.from(String(parsed[key]), "base64");
        raw[at] = (raw[at] as number) ^ change;
        return JSON.stringify({ ...parsed, [key]: raw.toString("base64") });
      });
    expect(outcome(signed)).toBe("good");
    fc.assert(
      fc.property(fc.oneof(changed, bytes, fc.json(), fc.string()), (json) => {
        expect(["wrong", "PACK_REFUSED"]).toContain(outcome(json));
      }),
      { numRuns: 500 },
    );
  });
});

describe("keys", () => {
  it("are read as PEM, as base64 of the same bytes, and raw; a private key is refused", () => {
    const der = publicKey.export({ type: "spki", format: "der" }).toString("base64");
    expect([publicPem, der, vendor.publicKey].map(readPublicKey)).toEqual(Array(3).fill(vendor.publicKey));
    const others = [
      privatePem,
      "",
      "AAAA",
      generateKeyPairSync("x25519").publicKey.export({ type: "spki", format: "pem" }) as string,
    ];
    for (const key of others) expect(() => readPublicKey(key)).toThrow(AppError);
  });

  it("sign the bytes of docs/model-packs.md", () => {
    signPackFolder(pack, privatePem, release);
    const { signature, files } = JSON.parse(readFileSync(path.join(pack, "signature.json"), "utf8")) as {
      signature: string;
      files: Record<string, string>;
    };
    const lines = [
      "corvet-pack-signature 1",
      "publisher Self-named",
      "released-by Dr. Jane Doe",
      `signed-at ${release.signedAt}`,
      ...Object.keys(files)
        .sort()
        .map((name) => `${files[name]} ${name}`),
    ];
    const text = lines.map((line) => `${line}\n`).join("");
    expect(signature).toBe(signBytes(null, Buffer.from(text), privateKey).toString("base64"));
  });
});

describe("npm run pack", () => {
  const run = async (...args: string[]) => {
    const { stdout, stderr } = await runCommand("pack", ...args);
    return stdout + stderr;
  };

  it("signs, verifies and inspects", async () => {
    const [key, known] = [path.join(folder(), "private.pem"), path.join(folder(), "public.pem")];
    writeFileSync(key, privatePem);
    writeFileSync(known, publicPem);
    expect(await run("inspect", pack)).toContain("unsigned");
    expect(await run("verify", pack)).toContain("is not signed");
    await run("sign", pack, "--key", key, "--publisher", "Vendor", "--released-by", "Dr. Jane Doe");
    expect(await run("inspect", pack)).toMatch(/Signed by Vendor at .*, released by Dr. Jane Doe. Key [0-9A-F:]{95}/);
    expect(await run("verify", pack, "--publisher-key", known)).toContain("every file is the one that was signed");
    edit("CARD.md", () => "another");
    expect(await run("verify", pack)).toContain("CARD.md is not the file that was signed");
  });
});

describe("the build", () => {
  it("reports unsigned packs without a key, and refuses a key of another publisher", async () => {
    expect(signPackagedPacks(folder(), {})).toMatchObject({ said: expect.stringContaining("unsigned") as string });
    expect(readdirSync(pack)).not.toContain("signature.json");
    const environment = { CORVET_PACK_SIGNING_KEY: privatePem, CORVET_PACK_RELEASED_BY: "Dr. Jane Doe" };
    expect(signPackagedPacks(folder(), environment, null).faults).toHaveLength(1);
    expect(signPackagedPacks(folder(), environment, vendor.publicKey).faults).toEqual([]);
    expect(only().packs[0]?.manifest.clinicallyValidated).toBe(true);
  });
});
