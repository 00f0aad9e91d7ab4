import { useQuery } from "@tanstack/react-query";
import type { Film } from "../../../core/contract/desktop/films.ts";
import { channelQuery } from "../queries.ts";

/**
 * Number of films that are measured before a queued one. No event about this film is sent when those ahead of it leave
 * the queue, so the whole queue is requested.
 */
export function usePlaceInQueue({ id, state, queuePosition }: Film): number {
  const { data } = useQuery({
    ...channelQuery("films.queue", {}),
    staleTime: Infinity,
    enabled: state === "queued",
  });
  const place = data?.filmIds.indexOf(id) ?? -1;
  return place >= 0 ? place : (queuePosition ?? 0);
}
