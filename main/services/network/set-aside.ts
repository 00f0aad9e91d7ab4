import { randomUUID } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { AppError, failureOf } from "../../../core/app-error.ts";
import { storedInstance, type DicomInstance } from "../../../core/contract/desktop/network/dicom-instance.ts";
import type { SetAsideObject as ShownObject } from "../../../core/contract/desktop/network/received.ts";
import { failure } from "../../../core/contract/desktop/shapes.ts";
import { systemFaultOf } from "../../../core/system-fault.ts";
import {
  forgetSetAside,
  getSetAside,
  saveSetAside,
  listSetAside,
  type SetAsideObject,
} from "../../store/films/dicom/set-aside-objects.ts";
import { recordAudit } from "../../store/audit/audit-events.ts";
import { transaction } from "../../store/engines/engine.ts";
import { keyOfStore, storeKeyOf } from "../../store/encryption/key-keeper.ts";
import { openBytes, sealBytes } from "../../store/encryption/sealed-file.ts";
import { notOpenedDir } from "../../store/files/store-files.ts";
import type { DesktopContext } from "../desktop/desktop-context.ts";
import { saveExport } from "../desktop/exports.ts";
import { addObjectToWorklist } from "../import/import-files.ts";

/** Acknowledged objects that cannot be shown, kept with the reason until a user decides. */
export function createSetAside(context: DesktopContext, receivedFolder: string) {
  const folder = notOpenedDir(context.dataDir);
  const fileOf = ({ fileName }: SetAsideObject) => path.join(folder, fileName);
  const changed = () => context.raise({ name: "dicom.changed", payload: {} });
  const keep = async (file: string, error: AppError, receivedAtMs: number) => {
    const said = await describe(context, file);
    await saveSetAside(context.db, {
      id: randomUUID(),
      fileName: path.basename(file),
      receivedAtMs,
      sender: said?.sender ?? null,
      facts: said && JSON.stringify(said.instance),
      failure: JSON.stringify(failureOf(error)),
    });
  };
  /** The file is deleted last, since one left after a crash is listed again. */
  const forget = async (object: SetAsideObject, noted: () => Promise<void>) => {
    await transaction(context.db, async () => {
      await forgetSetAside(context.db, object.id);
      await noted();
    });
    await rm(fileOf(object), { force: true });
  };
  const record = async (action: "received.exported" | "received.removed", object: SetAsideObject) => {
    const subject = instanceOf(object)?.sopInstanceUid ?? object.fileName;
    await recordAudit(context.db, { action, at: context.now(), subject, detail: { sender: object.sender } });
  };
  const open = async (object: SetAsideObject): Promise<AppError | null> => {
    try {
      const bytes = await readKept(context.dataDir, fileOf(object));
      const name = `${instanceOf(object)?.sopInstanceUid ?? "object"}.dcm`;
      await addObjectToWorklist(context, { name, bytes, origin: "dicom" });
      return null;
    } catch (error) {
      if (error instanceof AppError) return error;
      throw error;
    }
  };
  return {
    async put(fileName: string, error: AppError) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const file = path.join(receivedFolder, fileName);
      // List it first, so that the object stays in the receiving folder if the store or disk is unavailable.
      await keep(file, error, context.now().getTime());
      await moveAside(context.dataDir, file, path.join(folder, fileName));
      changed();
    },
    /** Lists files left by a crash after their row was deleted. */
    async adopt() {
      const known = new Set((await listSetAside(context.db)).map(({ fileName }) => fileName));
      for (const fileName of await readdir(folder).catch(() => [])) {
        if (known.has(fileName) || fileName.includes("unfinished")) continue;
        const { mtimeMs } = await stat(path.join(folder, fileName));
        await keep(path.join(folder, fileName), new AppError("INVALID_DICOM"), Math.round(mtimeMs));
      }
    },
    list: async () => (await listSetAside(context.db)).map(toShown),
    /** @returns number of objects added to the worklist. @throws AppError NOT_FOUND */
    async retry(objectIds: readonly string[]) {
      let opened = 0;
      for (const objectId of objectIds) {
        const object = await getSetAside(context.db, objectId);
        const error = await open(object);
        if (error !== null) await saveSetAside(context.db, { ...object, failure: JSON.stringify(failureOf(error)) });
        else {
          await forget(object, async () => undefined);
          opened += 1;
        }
      }
      changed();
      return opened;
    },
    /** @throws AppError NOT_FOUND */
    async export(objectId: string) {
      const object = await getSetAside(context.db, objectId);
      const url = await saveExport(context.dataDir, "dcm", await readKept(context.dataDir, fileOf(object)));
      await record("received.exported", object);
      return { fileName: `${instanceOf(object)?.sopInstanceUid ?? "object"}.dcm`, url };
    },
    /** @throws AppError NOT_FOUND */
    async remove(objectIds: readonly string[]) {
      for (const objectId of objectIds) {
        const object = await getSetAside(context.db, objectId);
        await forget(object, () => record("received.removed", object));
      }
      changed();
    },
  };
}

async function describe(context: DesktopContext, file: string) {
  try {
    const { instance, sender } = await context.dicom.contents(await readKept(context.dataDir, file));
    return { instance, sender };
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

/** @throws AppError NOT_FOUND, TOO_MANY_FILES */
async function readKept(dataDir: string, file: string): Promise<Buffer> {
  const bytes = await readFile(file).catch((cause: unknown) => {
    throw systemFaultOf(cause) ?? new AppError("NOT_FOUND", undefined, { cause });
  });
  return openBytes(bytes, path.basename(file), () => storeKeyOf(dataDir));
}

async function moveAside(dataDir: string, from: string, to: string): Promise<void> {
  const key = keyOfStore(dataDir);
  if (key === null) return rename(from, to);
  await writeFile(`${to}.unfinished`, sealBytes(await readFile(from), path.basename(to), key), {
    mode: 0o600,
    flush: true,
  });
  await rename(`${to}.unfinished`, to);
  await rm(from);
}

function instanceOf({ facts }: SetAsideObject): DicomInstance | null {
  return facts === null ? null : storedInstance(facts);
}

function toShown(object: SetAsideObject): ShownObject {
  const instance = instanceOf(object);
  return {
    id: object.id,
    receivedAt: new Date(object.receivedAtMs).toISOString(),
    sender: object.sender,
    patientName: instance?.patient.name ?? null,
    responsiblePerson: instance?.patient.responsiblePerson ?? null,
    patientId: instance?.patient.id ?? null,
    takenAt: instance?.takenAt ?? null,
    modality: instance?.modality ?? null,
    failure: failure.parse(JSON.parse(object.failure)),
  };
}
