import { AppError, because } from "../../../core/app-error.ts";
import type { PublisherSummary } from "../../../core/contract/desktop/program.ts";
import { fingerprintOf, readPublicKey } from "../../inference/packs/pack-signature.ts";
import { recordAudit } from "../../store/audit/audit-events.ts";
import { getSetting, publishersSetting, saveSetting } from "../../store/settings.ts";
import type { DesktopContext } from "../desktop/desktop-context.ts";
import { reloadPacks, type PackHome } from "./packs.ts";

/** Publishers whom the clinic has added, in the order in which it did. */
export function listPublishers({ db }: Pick<DesktopContext, "db">): PublisherSummary[] {
  return getSetting(db, publishersSetting).map(({ name, publicKey, addedAt }) => ({
    name,
    fingerprint: fingerprintOf(publicKey),
    addedAt,
  }));
}

/**
 * Adds a publisher: what it has released may say from now on that it is clinically validated.
 *
 * @param key  PEM, or base64 of an Ed25519 public key
 * @throws AppError INVALID_FIELD for another kind of key, CONFLICT when it is there already
 */
export async function addPublisher(
  context: DesktopContext,
  home: PackHome,
  { name, key }: { readonly name: string; readonly key: string },
): Promise<void> {
  const publicKey = readPublicKey(key);
  const before = getSetting(context.db, publishersSetting);
  const twin = before.find((publisher) => publisher.publicKey === publicKey);
  if (twin) throw new AppError("CONFLICT", because("publisherExists", { name: twin.name }));
  const addedAt = context.now().toISOString();
  const detail = { added: name, fingerprint: fingerprintOf(publicKey) };
  savePublishers(context, [...before, { name, publicKey, addedAt }], detail);
  context.log.info(
    { security: "publisher.added", publisher: name, fingerprint: fingerprintOf(publicKey) },
    "publisher of packs added",
  );
  await reloadPacks(context, home);
}

type Publishers = ReturnType<typeof getSetting<typeof publishersSetting.fallback>>;

function savePublishers({ db, now }: DesktopContext, publishers: Publishers, detail: Record<string, string>): void {
  const save = db.transaction(() => {
    saveSetting(db, publishersSetting, publishers);
    recordAudit(db, { action: "settings.changed", at: now(), subject: publishersSetting.key, detail });
  });
  save.immediate();
}

/**
 * Removes a publisher; measurements that were made meanwhile keep what was recorded with them. @throws AppError
 * NOT_FOUND
 */
export async function removePublisher(context: DesktopContext, home: PackHome, fingerprint: string): Promise<void> {
  const before = getSetting(context.db, publishersSetting);
  const rest = before.filter(({ publicKey }) => fingerprintOf(publicKey) !== fingerprint);
  if (rest.length === before.length) throw new AppError("NOT_FOUND");
  const removed = before.find((publisher) => !rest.includes(publisher))?.name ?? "";
  savePublishers(context, rest, { removed, fingerprint });
  context.log.info({ security: "publisher.removed", fingerprint }, "publisher of packs removed");
  await reloadPacks(context, home);
}
