import path from "node:path";
import type { Configuration } from "electron-builder";
import { programDir } from "../../main/program.ts";
import { signPackagedPacks } from "./sign-packs.ts";

/** Packaging options in addition to electron-builder.yml, and a callback for the result of signing the packs. */
export type Packaging = {
  readonly output: string;
  /** Folder of the packs in the packaged program. */
  readonly packs: string;
  readonly electronDist: string;
  readonly electronVersion: string;
  readonly isRelease: boolean;
  readonly onSigned: (signing: ReturnType<typeof signPackagedPacks>) => void;
};

/** Packs are signed before the code, since code signing on macOS also seals the packs. */
export function builderConfig(packaging: Packaging): Configuration {
  const { output, packs, electronDist, electronVersion, isRelease, onSigned } = packaging;
  return {
    extends: path.join(programDir, "electron-builder.yml"),
    ...(isRelease ? { forceCodeSigning: process.platform !== "linux" } : { mac: { notarize: false } }),
    electronDist,
    electronVersion,
    directories: { output, buildResources: "build" },
    afterPack: () => onSigned(signPackagedPacks(packs)),
  };
}
