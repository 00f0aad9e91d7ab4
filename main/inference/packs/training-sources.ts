import { z } from "zod";
import { discoverPacks } from "./discover-packs.ts";
import { programPacksDir } from "../../program.ts";

export type TrainingSource = { readonly pack: string; readonly source: string };

const stated = z.array(z.string()).catch([]);

export function listTrainingSources(packFolders: readonly string[]): TrainingSource[] {
  return discoverPacks(packFolders).packs.flatMap(({ manifest: { name, training } }) =>
    stated.parse(training["data"]).map((source) => ({ pack: name, source })),
  );
}

/** Name of a work up to its licence. In the manifest, the share that was used follows in English. */
const nameWithLicence = /^(.*?CC BY[^:;]*)/s;

/** Works under a licence that requires attribution (CC BY) that were used to train one of the program's packs. */
export function creditsOf(packName: string): readonly string[] {
  const ofPack = listTrainingSources([programPacksDir]).filter(({ pack }) => pack === packName);
  return ofPack
    .map(({ source }) => source)
    .filter((source) => source.includes("CC BY"))
    .map((source) => nameWithLicence.exec(source)?.[1] ?? source);
}
