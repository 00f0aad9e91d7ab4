import { useLanguage } from "../../ui/language/language.ts";
import { call } from "../connection.ts";
import { useFilms } from "../films/films.ts";
import { showFilm } from "../films/show-film.ts";
import { channelQuery, queryClient, useChannel } from "../queries.ts";

export function useIsSampleLoaded(): boolean | null {
  return useChannel("sample.get", {}).value?.isLoaded ?? null;
}

export async function loadSample(): Promise<void> {
  const { films } = await call("sample.load", { language: useLanguage.getState().language });
  setLoaded(true);
  await useFilms.getState().load();
  const newest = films.at(-1);
  if (newest) showFilm(newest.id);
}

export async function removeSample(): Promise<void> {
  await call("sample.remove", {});
  setLoaded(false);
}

function setLoaded(isLoaded: boolean): void {
  queryClient.setQueryData(channelQuery("sample.get", {}).queryKey, { isLoaded });
}
