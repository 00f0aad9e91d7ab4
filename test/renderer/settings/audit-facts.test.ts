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
  subjectName: null,
} as const;

test("names a film by its file, or by its id if erased", () => {
  const exported = { ...event, action: "film.exported", subject: "8f2b", detail: { way: "handout" } } as const;
  expect(factsOf({ ...exported, subjectName: "bella.jpg" }, sayIn("en"))).toBe("bella.jpg · as: handout");
  expect(factsOf(exported, sayIn("en"))).toBe("8f2b · as: handout");
});

test("names changed settings as on their pages, and unknown ones as recorded", () => {
  const detail = { changed: "language, keepImages, keepImagesDays, fromLater" };
  expect(factsOf({ ...event, detail }, sayIn("de"))).toBe(
    "Einstellungen · geändert: Sprache, Bilder aufbewahren, fromLater",
  );
  expect(factsOf({ ...event, detail: { changed: "theme" } }, sayIn("fr"))).toMatch(/^Réglages · modifié\s: Thème$/u);
});
