import { beforeEach, expect, test } from "vitest";
import type { Film } from "../../../../core/contract/desktop/films.ts";
import { answerCalls } from "../../../fixtures/page/answer-calls.ts";
import { useFilms } from "../../../../renderer/state/films/films.ts";
import { openNewestFilm } from "../../../../renderer/state/films/open-newest.ts";
import { usePatients } from "../../../../renderer/state/patients.ts";
import { useNavigation } from "../../../../renderer/state/navigation.ts";

const film = (id: string) => ({ id, patient: { id: `of ${id}` }, reading: null, urls: {} }) as unknown as Film;
const openId = () => useFilms.getState().openId;

beforeEach(() => {
  usePatients.setState({ chosen: { id: "of bella" } as never });
  useNavigation.setState({ ...useNavigation.getInitialState(), screen: "trends" });
  useFilms.setState({ ...useFilms.getInitialState(), films: [film("rex"), film("bella")], openId: "rex" });
  answerCalls((channel) => ({
    ok: true,
    value: channel === "films.list" ? { films: [film("bella")], total: 1 } : { film: film("bella"), readings: [] },
  }));
});

test("opens the newest film of the patient selected in Trends", async () => {
  await openNewestFilm("of bella");
  expect(openId()).toBe("bella");
});

test("keeps a film open to which the user has returned", async () => {
  const opening = openNewestFilm("of bella");
  useNavigation.setState({ screen: "films" });
  await opening;
  expect(openId()).toBe("rex");
});

test("opens no film of a patient who is no longer selected", async () => {
  const opening = openNewestFilm("of bella");
  usePatients.setState({ chosen: { id: "minka" } as never });
  await opening;
  expect(openId()).toBe("rex");
});

test("asks about unsaved points first", async () => {
  useNavigation.getState().setGuard({ save: () => Promise.resolve(), discard: () => undefined });
  await openNewestFilm("of bella");
  expect(openId()).toBe("rex");
  await useNavigation.getState().answer("discard");
  expect(openId()).toBe("bella");
});
