import { randomUUID } from "node:crypto";
import { z } from "zod";
import { AppError } from "../../../core/app-error.ts";
import { dicomNode, dicomReceiver, type DicomNode, type DicomReceiver } from "../../../core/contract/desktop/dicom.ts";
import type { ReadableDb, WritableDb } from "../../store/database.ts";
import { getSetting, saveSetting, type Setting } from "../../store/settings.ts";

/**
 * Off, and reachable from this computer alone, until the user says otherwise. 11112 is the port that DICOM has
 * registered for all users.
 */
export const receiverSetting: Setting<DicomReceiver> = {
  key: "dicomReceiver",
  schema: dicomReceiver,
  fallback: {
    isOn: false,
    port: 11_112,
    aeTitle: "CORVET",
    bind: "this-computer",
    allowedAeTitles: [],
    allowedAddresses: [],
  },
  audit: "receiver.configured",
};

/** What the user changed of the receiver. */
export type ReceiverChange = { readonly [K in keyof DicomReceiver]?: DicomReceiver[K] | undefined };

/** Saves what changed of the receiver. */
export function saveReceiver(db: WritableDb, changes: ReceiverChange): DicomReceiver {
  const said = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
  return saveSetting(db, receiverSetting, { ...getSetting(db, receiverSetting), ...said });
}

const nodesSetting: Setting<DicomNode[]> = {
  key: "dicomNodes",
  schema: z.array(dicomNode),
  fallback: [],
  audit: "nodes.changed",
};

/** Nodes to which results can be sent, by name. */
export function listNodes(db: ReadableDb): DicomNode[] {
  return getSetting(db, nodesSetting).toSorted((a, b) => a.name.localeCompare(b.name));
}

/** @throws AppError NOT_FOUND */
export function getNode(db: ReadableDb, nodeId: string): DicomNode {
  const node = listNodes(db).find(({ id }) => id === nodeId);
  if (!node) throw new AppError("NOT_FOUND");
  return node;
}

/**
 * Adds a node, or changes the one that is named.
 *
 * @throws AppError NOT_FOUND
 */
export function saveNode(db: WritableDb, nodeId: string | null, fields: Omit<DicomNode, "id">): DicomNode[] {
  const others = nodeId === null ? listNodes(db) : listNodes(db).filter(({ id }) => id !== getNode(db, nodeId).id);
  saveSetting(db, nodesSetting, [...others, { ...fields, id: nodeId ?? randomUUID() }]);
  return listNodes(db);
}

/** Forgets a node; removing one that is gone is not an error. */
export function deleteNode(db: WritableDb, nodeId: string): DicomNode[] {
  saveSetting(
    db,
    nodesSetting,
    listNodes(db).filter(({ id }) => id !== nodeId),
  );
  return listNodes(db);
}
