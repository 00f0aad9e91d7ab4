import type { english } from "../language/english.ts";

/** `subject.event`. A new action needs a text in every catalogue. */
export const auditActions = [
  "reading.measured",
  "reading.accepted",
  "reading.rejected",
  "reading.corrected",
  "reading.by_hand",
  "reading.undone",
  "film.dated",
  "film.assigned",
  "film.annotated",
  "film.removed",
  "film.returned",
  "film.exported",
  "film.sent",
  "patient.created",
  "patient.edited",
  "patient.merged",
  "patient.unmerged",
  "patient.exported",
  "patient.erased",
  "film.deidentified",
  "received.exported",
  "received.removed",
  "settings.changed",
  "server.configured",
  "receiver.configured",
  "nodes.changed",
  "account.created",
  "key.created",
  "key.renamed",
  "key.revoked",
  "key.rated",
  "key.refused",
  "pack.imported",
  "pack.activated",
  "pack.refused",
  "backup.made",
  "backup.planned",
  "restore.planned",
  "restore.cancelled",
  "restore.done",
  "database.chosen",
  "store.encrypted",
  "store.decrypted",
  "record.continued",
  "people.turned_on",
  "people.turned_off",
  "person.added",
  "person.edited",
  "person.secret_changed",
  "person.retired",
  "person.returned",
  "session.signed_in",
  "session.refused",
  "session.signed_out",
  "session.locked",
  "page.refused",
] as const;

/** Pictures omit the animal's name. */
export type ExportWay = keyof typeof english.auditFacts extends infer Fact
  ? Fact extends `way_${infer Way}`
    ? Way
    : never
  : never;

export type AuditAction = (typeof auditActions)[number];

export const auditWays = ["window", "service", "command", "program"] as const;

/** Without a signed-in user `personId` is null and `who` contains what is known. */
export type Actor = {
  readonly via: (typeof auditWays)[number];
  readonly personId: string | null;
  /** Name at the time of the action; null without a user. */
  readonly who: string | null;
};
