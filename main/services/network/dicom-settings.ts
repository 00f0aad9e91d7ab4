import { randomUUID } from "node:crypto";
import { z } from "zod";
import { AppError, because } from "../../../core/app-error.ts";
import {
  dicomNode,
  dicomReceiver,
  type DicomNode,
  type DicomReceiver,
} from "../../../core/contract/desktop/network/dicom.ts";
import { isPrivateConnection } from "../../../core/contract/desktop/network/private-connection.ts";
import type { DesktopParsedRequest } from "../../../core/contract/desktop.ts";
import { requireCertificates } from "../../dicom/network/secure-socket.ts";
import type { ReadableDb, WritableDb } from "../../store/database.ts";
import { transaction } from "../../store/engines/engine.ts";
import {
  changeFields,
  changeSetting,
  getSetting,
  saveSetting,
  type Changes,
  type Setting,
} from "../../store/settings.ts";
import type { DesktopContext } from "../desktop/desktop-context.ts";
import { secretNameOf } from "./node-with-secrets.ts";

/** 11112 is the registered DICOM port. */
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
    security: "none",
    trustedClients: "",
  },
  audit: "receiver.configured",
};

type Stores = Pick<DesktopContext, "db" | "secrets">;

export type ReceiverChange = Changes<DicomReceiver>;

export async function saveReceiver(db: WritableDb, changes: ReceiverChange): Promise<DicomReceiver> {
  requireCertificates(changes.trustedClients ?? "");
  return changeFields(db, receiverSetting, changes);
}

const nodesSetting: Setting<DicomNode[]> = {
  key: "dicomNodes",
  schema: z.array(dicomNode),
  fallback: [],
  audit: "nodes.changed",
};

export async function listNodes(db: ReadableDb): Promise<DicomNode[]> {
  return (await getSetting(db, nodesSetting)).toSorted((a, b) => a.name.localeCompare(b.name));
}

/** @throws AppError NOT_FOUND */
export async function getNode(db: ReadableDb, nodeId: string): Promise<DicomNode> {
  const node = (await listNodes(db)).find(({ id }) => id === nodeId);
  if (!node) throw new AppError("NOT_FOUND");
  return node;
}

/**
 * A password or token is stored in the key store only.
 *
 * @throws AppError NOT_FOUND; INVALID_FIELD for a password or token on an unencrypted connection, and for unreadable
 *   certificates
 */
export function saveNode(stores: Stores, request: DesktopParsedRequest<"dicom.saveNode">): Promise<DicomNode[]> {
  return transaction(stores.db, async () => {
    await writeNode(stores, request);
    return listNodes(stores.db);
  });
}

async function writeNode(
  { db, secrets }: Stores,
  { nodeId, ...given }: DesktopParsedRequest<"dicom.saveNode">,
): Promise<void> {
  requireCertificates((given.kind === "dimse" ? given.tls?.trusted : given.trusted) ?? "");
  const known = nodeId === null ? null : await getNode(db, nodeId);
  const id = known?.id ?? randomUUID();
  const others = (await listNodes(db)).filter((node) => node.id !== id);
  if (given.kind === "dimse") {
    await saveSetting(db, nodesSetting, [...others, { ...given, id }]);
    secrets.forget(secretNameOf(id));
  } else {
    const { secret, ...fields } = given;
    const asksSecret = fields.signIn === "basic" || fields.signIn === "bearer";
    if (asksSecret && !isPrivateConnection(new URL(fields.url)))
      throw new AppError("INVALID_FIELD", because("secretInTheClear"));
    // A password must not be sent to another server than the one it was entered for.
    const isSame = known?.kind === "web" && known.signIn === fields.signIn && originOf(known) === originOf(fields);
    const keepsOld = asksSecret && secret === undefined && isSame && known.hasSecret;
    const hasSecret = asksSecret && (secret !== undefined || keepsOld);
    await saveSetting(db, nodesSetting, [...others, { ...fields, id, hasSecret }]);
    if (asksSecret && secret !== undefined) secrets.keep(secretNameOf(id), secret);
    else if (!keepsOld) secrets.forget(secretNameOf(id));
  }
}

function originOf({ url }: { readonly url: string }): string {
  return new URL(url).origin;
}

/** A missing node is not an error. */
export async function deleteNode({ db, secrets }: Stores, nodeId: string): Promise<void> {
  await changeSetting(db, nodesSetting, (nodes) => nodes.filter(({ id }) => id !== nodeId));
  secrets.forget(secretNameOf(nodeId));
}
