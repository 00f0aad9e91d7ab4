import { parseArgs } from "node:util";
import { AppError } from "../../core/app-error.ts";
import { auditActions, type AuditAction } from "../../core/people/audit-actions.ts";
import { defaultDataDir } from "../program.ts";
import { listEvents, trailCsv } from "../services/people/audit-trail.ts";
import type { WritableDb } from "../store/database.ts";
import { openStoreOf } from "../services/program/store-place.ts";
import { readNotedHead } from "../store/ledger/record-anchor.ts";
import { verifyRecord } from "../store/record/record-verification.ts";
import { runCommand, UsageError } from "./running/run-command.ts";
import { textTable } from "./output/text-table.ts";

const usage = `audit list   [--data-dir DIR] [filter] [--limit N]   the last N events (default 50), newest first
audit export [--data-dir DIR] [filter]               CSV on stdout, oldest first
audit verify [--data-dir DIR]                        exit status 1 names what was changed
filter: [--who NAME] [--action ACTION]… [--patient ID] [--from DAY] [--to DAY]   days are UTC, YYYY-MM-DD, --to is included`;

const options = {
  "data-dir": { type: "string" },
  who: { type: "string" },
  action: { type: "string", multiple: true },
  patient: { type: "string" },
  from: { type: "string" },
  to: { type: "string" },
  limit: { type: "string" },
} as const;

type Given = {
  readonly who?: string;
  readonly action?: readonly string[];
  readonly patient?: string;
  readonly from?: string;
  readonly to?: string;
  readonly limit?: string;
};

const verbs = new Map<string, (db: WritableDb, given: Given) => Promise<string>>([
  ["list", (db, given) => tableOf(db, given)],
  ["export", (db, given) => trailCsv(db, filterOf(given))],
  ["verify", (db) => verified(db)],
]);

runCommand("audit", usage, async (args, print) => {
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
  const [verb = "", ...rest] = positionals;
  const act = verbs.get(verb);
  if (act === undefined) throw new UsageError(verb === "" ? "a verb is missing" : `unknown verb ${verb}`);
  if (rest.length > 0) throw new UsageError("too many arguments");
  const dataDir = values["data-dir"] ?? defaultDataDir();
  const db = await openStoreOf(dataDir, { create: false, setAside: false });
  try {
    print(await act(db, values));
  } finally {
    await db.destroy();
  }
});

async function tableOf(db: WritableDb, given: Given): Promise<string> {
  const limit = Number(given.limit ?? 50);
  if (!Number.isInteger(limit) || limit < 1) throw new UsageError("--limit takes a whole number");
  const { rows } = await listEvents(db, { ...filterOf(given), limit, offset: 0 });
  return textTable([
    ["SEQ", "AT", "ACTION", "VIA", "WHO", "PATIENT", "SUBJECT", "DETAIL"],
    ...rows.map(({ seq, atMs, action, via, who, patientId, subject, detail }) => [
      String(seq),
      new Date(atMs).toISOString(),
      action,
      via,
      who ?? "-",
      patientId ?? "-",
      subject ?? "-",
      JSON.stringify(detail),
    ]),
  ]);
}

function filterOf({ who, action, patient, from, to }: Given) {
  const dayAfter = (day: string) => new Date(Date.parse(startOf(day)) + 24 * 60 * 60 * 1000).toISOString();
  return {
    ...(who !== undefined && { who }),
    ...(action !== undefined && { actions: action.map(actionOf) }),
    ...(patient !== undefined && { patientId: patient }),
    ...(from !== undefined && { from: startOf(from) }),
    ...(to !== undefined && { to: dayAfter(to) }),
  };
}

function actionOf(given: string): AuditAction {
  const action = auditActions.find((known) => known === given);
  if (action === undefined) throw new UsageError(`--action is one of: ${auditActions.join(", ")}`);
  return action;
}

function startOf(day: string): string {
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(day) && !Number.isNaN(Date.parse(day));
  const start = isDay ? new Date(day).toISOString() : "";
  // The 31st of February is read as the 3rd of March.
  if (!start.startsWith(day)) throw new UsageError(`${day} is not a day`);
  return start;
}

/** The trail is sealed in one chain with the kept values: what is wrong anywhere in it is said here. */
async function verified(db: WritableDb): Promise<string> {
  const { fault, events } = await verifyRecord(db, readNotedHead(db));
  if (fault !== null) throw new AppError("RECORD_BROKEN", fault.problem);
  return `The audit trail is as it was written: ${events} ${events === 1 ? "event" : "events"}`;
}
