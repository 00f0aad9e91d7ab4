import { expect, test } from "vitest";
import { sayIn } from "../../../core/language/say.ts";
import { factsOf } from "../../../renderer/settings/people/audit-facts.ts";

const event = {
  seq: 1,
  at: "2026-11-22T08:00:00.000Z",
  who: "Dr Sommer",
  via: "window",
  action: "settings.changed",
  patientId: null,
  patientName: null,
  subject: "desktop",
} as const;

test("changed settings are told by the names of their pages, an unknown one as it was recorded", () => {
  const detail = { changed: "language, keepImages, keepImagesDays, fromLater" };
  expect(factsOf({ ...event, detail }, sayIn("de"))).toBe(
    "Einstellungen · geändert: Sprache, Bilder aufbewahren, fromLater",
  );
  expect(factsOf({ ...event, detail: { changed: "theme" } }, sayIn("fr"))).toMatch(/^Réglages · modifié\s: Thème$/u);
});
