import { AppError, because } from "../../../core/app-error.ts";
import type { PublisherSummary } from "../../../core/contract/desktop/program.ts";
import { fingerprintOf, readPublicKey } from "../../inference/packs/pack-signature.ts";
import { recordAudit } from "../../store/audit/audit-events.ts";
import { transaction } from "../../store/engines/engine.ts";
import { getSetting, publishersSetting, saveSetting, type Publishers } from "../../store/settings.ts";
import type { DesktopContext } from "../desktop/desktop-context.ts";
import { reloadPublishers, type PackHome } from "./packs.ts";

export async function listPublishers({ db }: Pick<DesktopContext, "db">): Promise<PublisherSummary[]> {
  return (await getSetting(db, publishersSetting)).map(({ name, publicKey }) => ({
    name,
    fingerprint: fingerprintOf(publicKey),
  }));
}

/**
 * Adds a publisher, whose signed packs may claim clinical validation.
 *
 * @param key  PEM, or base64 of an Ed25519 public key
 * @throws AppError INVALID_FIELD for an unsupported key, CONFLICT if it exists
 */
export async function addPublisher(
  context: DesktopContext,
  home: PackHome,
  { name, key }: { readonly name: string; readonly key: string },
): Promise<void> {
  const publicKey = readPublicKey(key);
  const addedAt = context.now().toISOString();
  await changePublishers(context, (before) => {
    const twin = before.find((publisher) => publisher.publicKey === publicKey);
    if (twin) throw new AppError("CONFLICT", because("publisherExists", { name: twin.name }));
    const detail = { added: name, fingerprint: fingerprintOf(publicKey) };
    return { publishers: [...before, { name, publicKey, addedAt }], detail };
  });
  context.log.info(
    { security: "publisher.added", publisher: name, fingerprint: fingerprintOf(publicKey) },
    "publisher of packs added",
  );
  await reloadPublishers(context, home);
}

async function changePublishers(
  { db, now, raise }: DesktopContext,
  changed: (before: Publishers) => { readonly publishers: Publishers; readonly detail: Record<string, string> },
): Promise<void> {
  await transaction(db, async () => {
    const { publishers, detail } = changed(await getSetting(db, publishersSetting));
    await saveSetting(db, publishersSetting, publishers);
    await recordAudit(db, { action: "settings.changed", at: now(), subject: publishersSetting.key, detail });
  });
  // Published first, so that other workstations reload their packs even if this one fails to.
  raise({ name: "publishers.changed", payload: {} });
}

/** Existing measurements keep their provenance. @throws AppError NOT_FOUND */
export async function removePublisher(context: DesktopContext, home: PackHome, fingerprint: string): Promise<void> {
  await changePublishers(context, (before) => {
    const publishers = before.filter(({ publicKey }) => fingerprintOf(publicKey) !== fingerprint);
    if (publishers.length === before.length) throw new AppError("NOT_FOUND");
    const removed = before.find((publisher) => !publishers.includes(publisher))?.name ?? "";
    return { publishers, detail: { removed, fingerprint } };
  });
  context.log.info({ security: "publisher.removed", fingerprint }, "publisher of packs removed");
  await reloadPublishers(context, home);
}
