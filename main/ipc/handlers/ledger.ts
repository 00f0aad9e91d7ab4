import type { ledgerContract } from "../../../core/contract/desktop/ledger.ts";
import { getUsage, ledgerCsvFile, listEvents, verifyChain } from "../../services/program/ledger-view.ts";
import { createKey } from "../../services/calls/keys.ts";
import { listApiKeys, renameApiKey, revokeApiKey } from "../../store/people/api-keys.ts";
import type { DesktopParts, Handlers } from "../handlers.ts";

export function ledgerHandlers({ context }: DesktopParts): Handlers<keyof typeof ledgerContract> {
  const { db, now } = context;
  return {
    "ledger.usage": (query) => getUsage(db, query, now()),
    "ledger.events": (query) => listEvents(db, query),
    "ledger.csv": (filter) => ledgerCsvFile(db, filter),
    "ledger.verify": () => verifyChain(context.db, context.dataDir),
    "keys.list": async () => ({
      keys: (await listApiKeys(db)).map(
        ({ id, name, accountId, accountName, createdAtMs, lastUsedAtMs, revokedAtMs }) => ({
          keyId: id,
          name,
          accountId,
          accountName,
          createdAt: isoTime(createdAtMs),
          lastUsedAt: lastUsedAtMs === null ? null : isoTime(lastUsedAtMs),
          revokedAt: revokedAtMs === null ? null : isoTime(revokedAtMs),
        }),
      ),
    }),
    "keys.create": async ({ accountName, name }) => {
      const created = await createKey(db, { accountName, name, at: now() });
      context.log.info({ security: "key.created", keyId: created.keyId }, "key created");
      return created;
    },
    "keys.rename": (request) => renameApiKey(db, request),
    "keys.revoke": async ({ keyId }) => {
      const { isNew } = await revokeApiKey(db, { keyId, at: now() });
      if (isNew) context.log.info({ security: "key.revoked", keyId }, "key revoked");
      context.raise({ name: "keys.revoked", payload: { keyId } });
    },
  };
}

function isoTime(atMs: number): string {
  return new Date(atMs).toISOString();
}
