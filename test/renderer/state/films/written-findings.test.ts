import { beforeEach, expect, it } from "vitest";
import { hasUnsavedFindings, useWrittenFindings } from "../../../../renderer/state/films/written-findings.ts";

const { write, forget, drop, changePerson } = useWrittenFindings.getState();
const texts = () => {
  const { byPerson, personId } = useWrittenFindings.getState();
  return byPerson[personId] ?? {};
};

beforeEach(() => useWrittenFindings.setState(useWrittenFindings.getInitialState(), true));

it("keeps a person's texts for that person, through a locked screen too", () => {
  changePerson("anna");
  write("film-1", "Mild enlargement");
  changePerson(null);
  expect(texts()).toEqual({});
  changePerson("ben");
  expect(texts()).toEqual({});
  write("film-1", "Normal");
  changePerson("anna");
  expect(texts()).toEqual({ "film-1": "Mild enlargement" });
  changePerson("ben");
  expect(texts()).toEqual({ "film-1": "Normal" });
});

it("knows of nothing unsaved once the one who came back has saved", () => {
  changePerson("anna");
  write("film-1", "Mild enlargement");
  changePerson("ben");
  changePerson("anna");
  forget(["film-1"]);
  expect(hasUnsavedFindings()).toBe(false);
});

it("does not take a word for a change of person that says who is here anyway", () => {
  changePerson("anna");
  write("film-1", "Mild enlargement");
  changePerson("anna");
  expect(texts()).toEqual({ "film-1": "Mild enlargement" });
});

it("leaves what was written where nobody signs in to whoever does first", () => {
  write("film-1", "Mild enlargement");
  changePerson(null);
  expect(texts()).toEqual({ "film-1": "Mild enlargement" });
  changePerson("anna");
  expect(texts()).toEqual({ "film-1": "Mild enlargement" });
  changePerson("ben");
  expect(texts()).toEqual({});
});

it("forgets what one person saved, and drops what all wrote on a film that is gone", () => {
  changePerson("anna");
  write("film-1", "Mild enlargement");
  changePerson("ben");
  write("film-1", "Normal");
  forget(["film-1"]);
  expect([texts(), hasUnsavedFindings()]).toEqual([{}, true]);
  drop(["film-1"]);
  expect(hasUnsavedFindings()).toBe(false);
  changePerson("anna");
  expect(texts()).toEqual({});
});
