import { beforeEach, expect, test } from "vitest";
import { AppError, failureOf } from "../../../core/app-error.ts";
import type { Patient } from "../../../core/contract/desktop/patients.ts";
import { sayIn } from "../../../core/language/say.ts";
import { shownToasts } from "../../../renderer/ui/notes/toasts.ts";
import { inWords } from "../../../renderer/ui/notes/words.ts";
import { clearToasts } from "../../fixtures/page/clear-toasts.ts";
import { answerCalls } from "../../fixtures/page/answer-calls.ts";
import { fieldsOf, usePatients } from "../../../renderer/state/patients.ts";

beforeEach(clearToasts);

test("updates the chosen patient, listed or not, and clears it once erased", async () => {
  const bella = { id: "bella", name: "Bella" } as Patient;
  const others = Array.from({ length: 3 }, (_, index) => ({ id: `other-${index}`, name: "Rex" }) as Patient);
  let known: readonly Patient[] = [bella];
  let listed: readonly Patient[] = [bella];
  answerCalls((channel, { patientId }: { readonly patientId?: string }) => {
    if (channel === "patients.list") return { ok: true, value: { patients: listed, total: 1 } };
    const found = known.find(({ id }) => id === patientId);
    return found ? { ok: true, value: found } : { ok: false, ...failureOf(new AppError("NOT_FOUND")) };
  });
  const { refresh, choose } = usePatients.getState();
  const chosen = () => usePatients.getState().chosen?.name ?? null;
  choose(bella);
  known = [{ ...bella, name: "Bella Sommer" }];
  listed = others;
  await refresh();
  expect(chosen()).toBe("Bella Sommer");
  listed = [{ ...bella, name: "Bella S." }];
  await refresh();
  expect(chosen()).toBe("Bella S.");
  [known, listed] = [[], others];
  await refresh();
  expect(chosen()).toBeNull();
  expect(shownToasts().map(({ words }) => inWords(words, sayIn("en")))).toEqual([
    "Bella S. was erased, or merged with another patient",
  ]);
});

test("chooses the kept patient of its own merge, even if the event arrives before the response", async () => {
  const [kept, gone] = [{ id: "kept", name: "Bella" } as Patient, { id: "gone", name: "Bela" } as Patient];
  answerCalls(async (channel) => {
    if (channel === "patients.list") return { ok: true, value: { patients: [kept], total: 1 } };
    if (channel === "patients.get") return { ok: false, ...failureOf(new AppError("NOT_FOUND")) };
    await usePatients.getState().refresh();
    return { ok: true, value: { patient: kept, rows: 2 } };
  });
  const { choose, merge, erase } = usePatients.getState();
  choose(gone);
  await merge(kept, gone);
  expect(usePatients.getState().chosen).toBe(kept);
  choose(gone);
  expect(await erase("gone", "requested")).toBe(2);
  expect([usePatients.getState().chosen, shownToasts()]).toEqual([null, []]);
});

test("does not overwrite concurrent changes of unchanged fields", async () => {
  const asked: unknown[] = [];
  const opened = { id: "bella", name: "Bella", species: "dog", owner: "Sommer", weightKg: 8 } as Patient;
  answerCalls((channel, request: object) => {
    if (channel === "patients.edit") asked.push(request);
    return { ok: true, value: channel === "patients.list" ? { patients: [] } : opened };
  });
  await usePatients.getState().save(opened, { ...fieldsOf(opened), owner: "Winter" });
  expect(asked).toEqual([{ patientId: "bella", owner: "Winter" }]);
});

test("keeps the species filter of a list across events, until another list is opened", async () => {
  const asked: unknown[] = [];
  answerCalls((_, request: object) => {
    asked.push(request);
    return { ok: true, value: { patients: [], total: 0 } };
  });
  const { load, refresh } = usePatients.getState();
  usePatients.setState({ chosen: null });
  await load("", "cat");
  await load("Luna");
  await refresh();
  await load(undefined, null);
  expect(asked).toMatchObject([
    { search: "", canBe: "cat" },
    { search: "Luna", canBe: "cat" },
    { search: "Luna", canBe: "cat" },
    { search: "Luna", canBe: null },
  ]);
});

test("chooses the new patient of a reassigned open film, unless another one was chosen", () => {
  usePatients.setState({ chosen: null, followed: null });
  const { followFilm, choose } = usePatients.getState();
  const follow = (filmId: string, patientId: string) => {
    const isFollowed = followFilm(filmId, patientId);
    if (isFollowed) choose({ id: patientId } as Patient);
    return isFollowed;
  };
  expect([follow("film", "rex"), follow("film", "rex"), follow("film", "bella")]).toEqual([true, false, true]);
  choose({ id: "nala" } as Patient);
  expect([follow("film", "rex"), follow("film", "rex"), follow("other", "rex")]).toEqual([false, false, true]);
});
