import { english } from "../language/english.ts";

export type AuditAction = keyof typeof english.audited;

/** `subject.event`: the actions that have a text. */
export const auditActions = Object.keys(english.audited) as readonly AuditAction[];

/** Pictures omit the animal's name. */
export type ExportWay = keyof typeof english.auditFacts extends infer Fact
  ? Fact extends `way_${infer Way}`
    ? Way
    : never
  : never;

export const auditWays = ["window", "service", "command", "program"] as const;

/** Without a signed-in user `personId` is null and `who` contains what is known. */
export type Actor = {
  readonly via: (typeof auditWays)[number];
  readonly personId: string | null;
  /** Name at the time of the action; null without a user. */
  readonly who: string | null;
};
