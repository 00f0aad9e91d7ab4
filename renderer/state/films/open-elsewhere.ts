import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import type { OpenElsewhere } from "../../../core/contract/desktop/films.ts";
import { call } from "../connection.ts";
import { usePeople } from "../people.ts";
import { useProgram } from "../program.ts";
import { channelQuery } from "../queries.ts";

/** Interval after which a workstation that stopped without closing its film disappears from the response [ms]. */
const refetchMs = 65_000;
const none: readonly OpenElsewhere[] = [];

export function useOpenElsewhere(filmId: string): readonly OpenElsewhere[] {
  const { data } = useQuery({
    ...channelQuery("films.openElsewhere", {}),
    staleTime: Infinity,
    refetchInterval: ({ state }) => ((state.data?.films.length ?? 0) > 0 ? refetchMs : false),
  });
  return data?.films.filter((film) => film.filmId === filmId) ?? none;
}

/** Publishes the film open here, and again after a reconnect or a change of user. */
export function usePublishOpenFilm(filmId: string | null): void {
  const isLive = useProgram(({ link }) => link === "live");
  const personId = usePeople(({ session }) => session?.me?.id ?? null);
  useEffect(() => {
    if (isLive) call("films.sayOpen", { filmId }).catch(() => undefined);
  }, [filmId, isLive, personId]);
  useEffect(() => () => void call("films.sayOpen", { filmId: null }).catch(() => undefined), []);
}
