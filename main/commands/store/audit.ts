import { Command, Option } from "commander";
import { AppError } from "../../../core/app-error.ts";
import { auditActions, type AuditAction } from "../../../core/people/audit-actions.ts";
import { listEvents, trailCsv } from "../../services/people/audit-trail.ts";
import type { WritableDb } from "../../store/database.ts";
import { codeOfFault } from "../../store/ledger/ledger-verification.ts";
import { readNotedHead } from "../../store/ledger/record-anchor.ts";
import { verifyRecord } from "../../store/record/record-verification.ts";
import { dataDirOption, wholeNumber } from "../running/options.ts";
import { print, UsageError } from "../running/run-program.ts";
import { withStore } from "../running/with-store.ts";
import { textTable } from "../output/text-table.ts";

type Filter = {
  readonly who?: string;
  readonly action?: readonly AuditAction[];
  readonly patient?: string;
  readonly from?: string;
  readonly to?: string;
};
type Given = Filter & { readonly dataDir: string };

export function auditCommand(): Command {
  const audit = new Command("audit").description("the audit trail: who did what and when");
  filtered(audit.command("list"))
    .description("the newest events first")
    .option("--limit <n>", "number of events", wholeNumber(1), 50)
    .action(async ({ dataDir, limit, ...filter }: Given & { readonly limit: number }) =>
      print(await withStore(dataDir, (db) => tableOf(db, filter, limit))),
    );
  filtered(audit.command("export"))
    .description("CSV on stdout, the oldest events first")
    .action(async ({ dataDir, ...filter }: Given) =>
      print(await withStore(dataDir, (db) => trailCsv(db, filterOf(filter)))),
    );
  audit
    .command("verify")
    .description("check the chain; exit status 1 names the changed event")
    .addOption(dataDirOption())
    .action(async ({ dataDir }: Given) => print(await withStore(dataDir, verified)));
  return audit;
}

function filtered(command: Command): Command {
  return command
    .addOption(dataDirOption())
    .option("--who <name>", "events of this user")
    .addOption(new Option("--action <action...>", "events of these kinds").choices(auditActions))
    .option("--patient <id>", "events of this patient")
    .option("--from <YYYY-MM-DD>", "from the start of this day")
    .option("--to <YYYY-MM-DD>", "to the end of this day");
}

async function tableOf(db: WritableDb, filter: Filter, limit: number): Promise<string> {
  const { rows } = await listEvents(db, { ...filterOf(filter), limit, offset: 0 });
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

function filterOf({ who, action, patient, from, to }: Filter) {
  const dayAfter = (day: string) => new Date(Date.parse(startOf(day)) + 24 * 60 * 60 * 1000).toISOString();
  return {
    ...(who !== undefined && { who }),
    ...(action !== undefined && { actions: [...action] }),
    ...(patient !== undefined && { patientId: patient }),
    ...(from !== undefined && { from: startOf(from) }),
    ...(to !== undefined && { to: dayAfter(to) }),
  };
}

function startOf(day: string): string {
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(day) && !Number.isNaN(Date.parse(day));
  const start = isDay ? new Date(day).toISOString() : "";
  // `Date` reads 31 February as 3 March.
  if (!start.startsWith(day)) throw new UsageError(`${day} is not a day`);
  return start;
}

async function verified(db: WritableDb): Promise<string> {
  const { fault, events } = await verifyRecord(db, readNotedHead(db));
  if (fault !== null) throw new AppError(codeOfFault(fault), fault.problem);
  return `The audit trail is intact: ${events} ${events === 1 ? "event" : "events"}`;
}
