import { beforeEach, expect, it } from "vitest";
import { hasUnsavedFindings, useWrittenFindings } from "../../../../renderer/state/films/written-findings.ts";

const { write, forget, drop, changePerson } = useWrittenFindings.getState();
const texts = () => {
  const { byPerson, personId } = useWrittenFindings.getState();
  return byPerson[personId] ?? {};
};

beforeEach(() => useWrittenFindings.setState(useWrittenFindings.getInitialState(), true));

it("keeps a user's texts for that user, also while the screen is locked", () => {
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

it("reports nothing unsaved once the returning user has saved", () => {
  changePerson("anna");
  write("film-1", "Mild enlargement");
  changePerson("ben");
  changePerson("anna");
  forget(["film-1"]);
  expect(hasUnsavedFindings()).toBe(false);
});

it("ignores a report of the same user", () => {
  changePerson("anna");
  write("film-1", "Mild enlargement");
  changePerson("anna");
  expect(texts()).toEqual({ "film-1": "Mild enlargement" });
});

it("assigns texts written without sign-in to the first user who signs in", () => {
  write("film-1", "Mild enlargement");
  changePerson(null);
  expect(texts()).toEqual({ "film-1": "Mild enlargement" });
  changePerson("anna");
  expect(texts()).toEqual({ "film-1": "Mild enlargement" });
  changePerson("ben");
  expect(texts()).toEqual({});
});

it("drops a user's saved text, and the texts of all users on a removed film", () => {
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
