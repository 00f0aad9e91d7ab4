import { expressionBuilder, sql } from "kysely";
import type { ReadableDb, WritableDb } from "../connection.ts";
import { engineOf, isTaken, transactionBeside } from "../engines/engine.ts";
import type { Tables } from "../tables.ts";

/** Stored images of a film: the file as opened, a small JPEG for the worklist, and the film cut out of a photograph. */
export type FilmImage = "original" | "thumbnail" | "rectified";

/** Identifies an image: SHA-256 of the file as opened, in hexadecimal digits, and frame, from 0. */
export type ImageName = { readonly sha256: string; readonly frameIndex: number; readonly image: FilmImage };

export function nameOfImage(sha256: string, image: FilmImage, frameIndex: number): ImageName {
  return { sha256, image, frameIndex: image === "original" ? 0 : frameIndex };
}

/** Small enough to transfer within a query's timeout over a slow connection, and to hold in memory. */
const bytesOfPart = 1024 * 1024;

/**
 * Saves an image completely or not at all. An existing original stays: its name is the hash of its content.
 *
 * @throws AppError STORE_UNAVAILABLE, STORE_BUSY, DISK_FULL
 */
export async function saveImage(db: WritableDb, name: ImageName, bytes: Uint8Array): Promise<void> {
  while (name.image !== "original" || !(await hasImage(db, name)))
    try {
      return await transactionBeside(db, () => replaceImage(db, name, bytes));
    } catch (error) {
      // Another program saved it at the same time.
      if (!isTaken(error)) throw error;
    }
}

async function replaceImage(db: WritableDb, name: ImageName, bytes: Uint8Array): Promise<void> {
  await deleteImage(db, name);
  for (let part = 0; part === 0 || part * bytesOfPart < bytes.length; part += 1) {
    const from = part * bytesOfPart;
    const { buffer, byteOffset, length } = bytes.subarray(from, from + bytesOfPart);
    const row = { ...name, part, bytes: Buffer.from(buffer, byteOffset, length) };
    await db.insertInto("filmImages").values(row).execute();
  }
}

export async function renameImage(db: WritableDb, from: ImageName, to: ImageName): Promise<void> {
  await deleteImage(db, to);
  await db.updateTable("filmImages").set(to).where(isNamed(from)).execute();
}

export async function deleteImage(db: WritableDb, name: ImageName): Promise<void> {
  await db.deleteFrom("filmImages").where(isNamed(name)).execute();
}

/** Each part is a separate query. */
export async function readImage(db: ReadableDb, name: ImageName): Promise<Buffer | null> {
  const parts = db.selectFrom("filmImages").where(isNamed(name)).orderBy("part");
  for (;;) {
    const rows = await parts.select(["part", "savedAtMs"]).execute();
    if (rows.length === 0) return null;
    const bytes: Buffer[] = [];
    for (const { part, savedAtMs } of rows) {
      const query = parts.where("part", "=", part).where("savedAtMs", "=", savedAtMs).select("bytes");
      const found = await query.executeTakeFirst();
      if (found === undefined) break;
      bytes.push(found.bytes);
    }
    // Fewer parts: the image was deleted or replaced during the read.
    if (bytes.length === rows.length) return Buffer.concat(bytes);
  }
}

export async function hasImage(db: ReadableDb, name: ImageName): Promise<boolean> {
  const first = db.selectFrom("filmImages").select("part").where(isNamed(name)).where("part", "=", 0);
  return (await first.executeTakeFirst()) !== undefined;
}

/** Deletes the images of a frame, and those shared by all frames of its file, unless a film uses them. */
export async function deleteUnkeptImages(
  db: WritableDb,
  { sha256, frameIndex }: { readonly sha256: string; readonly frameIndex: number },
): Promise<void> {
  await db
    .deleteFrom("filmImages")
    .where("sha256", "=", sha256)
    .where(({ eb, or }) => or([eb("image", "=", "original"), eb("frameIndex", "=", frameIndex)]))
    .where(isUnkept)
    .execute();
}

/**
 * Deletes images that no film uses.
 *
 * @param ageMs  minimum age, which leaves time to add a film after its images
 * @returns      number of images
 */
export async function clearUnkeptImages(db: WritableDb, ageMs: number): Promise<number> {
  const gone = await db
    .deleteFrom("filmImages")
    .where("savedAtMs", "<=", sql<number>`${engineOf(db).now} - ${ageMs}`)
    .where(isUnkept)
    .returning("part")
    .execute();
  return gone.filter(({ part }) => part === 0).length;
}

function isNamed({ sha256, frameIndex, image }: ImageName) {
  const { eb, and } = expressionBuilder<Tables, "filmImages">();
  return and([eb("sha256", "=", sha256), eb("frameIndex", "=", frameIndex), eb("image", "=", image)]);
}

function isUnkept() {
  const { not, exists, selectFrom } = expressionBuilder<Tables, "filmImages">();
  const films = selectFrom("films")
    .select("films.id")
    .whereRef("films.sha256", "=", "filmImages.sha256")
    .where("films.removedAtMs", "is", null)
    .where("films.hasImage", "=", 1)
    .where(({ eb, or }) =>
      or([eb("filmImages.image", "=", "original"), eb("films.frameIndex", "=", eb.ref("filmImages.frameIndex"))]),
    );
  return not(exists(films));
}
