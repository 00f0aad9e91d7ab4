import type { AuditEvent } from "../../../core/contract/desktop/practice/people.ts";
import { namesOfSettings } from "../../../core/contract/desktop/settings.ts";
import type { PlainKey } from "../../../core/language/catalogue.ts";
import { english } from "../../../core/language/english.ts";
import type { Say } from "../../../core/language/say.ts";
import { roles } from "../../../core/people/roles.ts";

/** Settings by the names used on their pages; others are shown as recorded. */
const names: Readonly<Record<string, PlainKey | null>> = {
  ...namesOfSettings,
  desktop: "common.screen_settings",
  watchedFolders: "folders.tab",
  hl7Destination: "hl7.title",
  packPublishers: "settings.publishers",
  updates: "updates.title",
  people: "people.introTitle",
  isAutomatic: "updates.automatic",
  mirror: "updates.mirror",
  lockAfterMinutes: "people.lockAfter",
};

const nameOf = (setting: string, text: Say) => {
  const key = names[setting];
  return key ? text(key) : setting;
};

export function factsOf({ subject, subjectName, detail }: AuditEvent, text: Say): string {
  const { name = subjectName, ...facts } = detail;
  const about = typeof name === "string" && name !== "" ? name : nameOf(subject?.slice(0, 40) ?? "", text);
  const others = Object.entries(facts)
    .filter(([fact, value]) => fact !== "reading" && value !== null && value !== false)
    .map(([fact, value]) => {
      const words = fact === "changed" ? namesIn(String(value), text) : inWords(value, text);
      return `${text("common.labelled", { label: nameOfFact(fact, text) })} ${words}`;
    });
  return [about, ...others].filter((part) => part !== "").join(" · ") || "—";
}

function nameOfFact(fact: string, text: Say): string {
  return Object.hasOwn(english.auditFacts, fact) ? text(`auditFacts.${fact as "films"}`) : fact;
}

function inWords(value: AuditEvent["detail"][string], text: Say): string {
  if (value === true) return text("auditFacts.yes");
  const role = roles.find((known) => known === value);
  if (role) return text(`people.role_${role}`);
  const way = `way_${value}`;
  return Object.hasOwn(english.auditFacts, way) ? text(`auditFacts.${way as "way_mail"}`) : String(value);
}

function namesIn(changed: string, text: Say): string {
  return [...new Set(changed.split(", ").map((setting) => nameOf(setting, text)))].join(", ");
}
