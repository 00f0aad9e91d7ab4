import { createHash } from "node:crypto";
import { z } from "zod";
import { because } from "../../../core/app-error.ts";
import { comparedIdentifier } from "../../../core/identifiers.ts";
import type { ReadableDb } from "../connection.ts";
import type { RecordFault } from "../ledger/record-fault.ts";

const actions = ["account.created", "key.created", "key.renamed", "key.rated", "key.revoked"] as const;

type BindingEvent = {
  readonly action: string;
  readonly atMs: number;
  readonly subject: string | null;
  readonly detail: string;
};

const named = z.object({ name: z.string() });
const made = named.extend({ accountId: z.string(), fingerprint: z.string() });
const rated = z.object({ singleCents: z.int().nullable(), sessionCents: z.int().nullable() });

/** Columns of a key that determine who pays and at which rate. */
type BoundKey = z.infer<typeof made> &
  z.infer<typeof rated> & { readonly createdAtMs: number; readonly revokedAtMs: number | null };

export function fingerprintOfApiKey(keySha256: Uint8Array): string {
  return createHash("sha256").update(keySha256).digest("hex").slice(0, 32);
}

/**
 * Compares accounts and API keys, which charges refer to, with the sealed audit events of their changes. The last use
 * of a key is not covered.
 */
export async function faultsOfBoundRows(db: ReadableDb): Promise<readonly RecordFault[]> {
  const [bound, stored] = [await boundByEvents(db), await storedRows(db)];
  return [...new Set([...bound.keys(), ...stored.keys()])].flatMap((subject) => {
    const [expected, content] = [bound.get(subject), stored.get(subject)];
    if (expected === content) return [];
    const name = expected === undefined ? "valueUnsealed" : content === undefined ? "valueMissing" : "valueChanged";
    const found = content === undefined ? null : createHash("sha256").update(content).digest("hex");
    return [{ subject, problem: because(name, { subject }), found, lostUpTo: null }];
  });
}

async function boundByEvents(db: ReadableDb): Promise<ReadonlyMap<string, string>> {
  const events = await db
    .selectFrom("auditEvents")
    .select(["action", "atMs", "subject", "detail"])
    .where("action", "in", actions)
    .orderBy("seq")
    .execute();
  const [accounts, keys] = [new Map<string, string>(), new Map<string, BoundKey>()];
  for (const event of events) {
    const subject = event.subject ?? "";
    const account = event.action === "account.created" ? named.safeParse(detailOf(event)).data : undefined;
    if (account) accounts.set(subject, contentOfAccount(account.name, event.atMs));
    const key = keyAfter(event, keys.get(subject));
    if (key) keys.set(subject, key);
  }
  return new Map([
    ...Array.from(accounts, ([id, content]) => [`accounts/${id}`, content] as const),
    ...Array.from(keys, ([id, key]) => [`api_keys/${id}`, contentOfKey(key)] as const),
  ]);
}

/**
 * Undefined for a key whose creation is not in the trail. Unreadable details are ignored: a tampered event
 * fails the check of its seal.
 */
function keyAfter(event: BindingEvent, before: BoundKey | undefined): BoundKey | undefined {
  const detail = detailOf(event);
  if (event.action === "key.created") {
    const { data } = made.safeParse(detail);
    return data && { ...data, singleCents: null, sessionCents: null, createdAtMs: event.atMs, revokedAtMs: null };
  }
  if (!before) return undefined;
  switch (event.action) {
    case "key.renamed":
      return { ...before, ...named.safeParse(detail).data };
    case "key.rated":
      return { ...before, ...rated.safeParse(detail).data };
    case "key.revoked":
      return { ...before, revokedAtMs: before.revokedAtMs ?? event.atMs };
    default:
      return before;
  }
}

function detailOf({ detail }: BindingEvent): unknown {
  try {
    return JSON.parse(detail);
  } catch {
    return null;
  }
}

async function storedRows(db: ReadableDb): Promise<ReadonlyMap<string, string>> {
  const accounts = await db.selectFrom("accounts").select(["id", "name", "nameNfc", "createdAtMs"]).execute();
  const keys = await db.selectFrom("apiKeys").selectAll().execute();
  return new Map([
    ...accounts.map(
      ({ id, name, nameNfc, createdAtMs }) => [`accounts/${id}`, contentOfAccount(name, createdAtMs, nameNfc)] as const,
    ),
    ...keys.map(({ enterpriseSingleCents, enterpriseSessionCents, keySha256, ...key }) => {
      const rates = { singleCents: enterpriseSingleCents, sessionCents: enterpriseSessionCents };
      return [
        `api_keys/${key.id}`,
        contentOfKey({ ...key, ...rates, fingerprint: fingerprintOfApiKey(keySha256) }),
      ] as const;
    }),
  ]);
}

function contentOfAccount(name: string, createdAtMs: number, nameNfc = comparedIdentifier(name)): string {
  return JSON.stringify([name, nameNfc, createdAtMs]);
}

function contentOfKey(key: BoundKey): string {
  const { accountId, name, fingerprint, createdAtMs, revokedAtMs, singleCents, sessionCents } = key;
  return JSON.stringify([accountId, name, fingerprint, createdAtMs, revokedAtMs, singleCents, sessionCents]);
}
