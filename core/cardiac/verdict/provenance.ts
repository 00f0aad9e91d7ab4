import { z } from "zod";

/** Publisher that released a clinically validated pack, fingerprint of its key, and the releasing person. */
export const packRelease = z.object({ publisher: z.string(), fingerprint: z.string(), releasedBy: z.string() });

export const provenance = z.object({
  imageSha256: z.string(),
  packName: z.string(),
  packVersion: z.string(),
  modelVersion: z.string(),
  programVersion: z.string(),
  /** Absent in older readings. */
  isClinicallyValidated: z.boolean().default(false),
  /** Absent for packs that are not clinically validated. */
  release: packRelease.optional(),
});

export type PackRelease = z.infer<typeof packRelease>;
export type Provenance = z.infer<typeof provenance>;

/** Pack of a value and the person who released it, as columns of tables and files; null if unknown. */
export function packFacts(
  provenance: Pick<Provenance, "packName" | "packVersion" | "isClinicallyValidated" | "release"> | null,
) {
  const release = provenance?.isClinicallyValidated ? provenance.release : undefined;
  return {
    pack: provenance?.packName ?? null,
    packVersion: provenance?.packVersion ?? null,
    packReleasedBy: release?.releasedBy ?? null,
    packPublisher: release?.publisher ?? null,
  };
}

/** Column names of `packFacts`, in its order. */
export const packColumns = ["pack", "pack_version", "pack_released_by", "pack_publisher"] as const;
