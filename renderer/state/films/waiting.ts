import { useQuery } from "@tanstack/react-query";
import type { Film } from "../../../core/contract/desktop/films.ts";
import { channelQuery } from "../queries.ts";

/** No event about this film is sent when those ahead of it leave the queue, so the whole queue is requested. */
export function usePlaceInQueue({ id, state }: Film): number {
  const { data } = useQuery({
    ...channelQuery("films.queue", {}),
    staleTime: Infinity,
    enabled: state === "queued",
  });
  return Math.max(0, data?.filmIds.indexOf(id) ?? 0);
}
