import { keepPreviousData, QueryClient, queryOptions, useQuery, type QueryKey } from "@tanstack/react-query";
import { useCallback } from "react";
import type { DesktopChannel, DesktopRequest, DesktopResponse } from "../../core/contract/desktop.ts";
import { call } from "./connection.ts";
import { faultText } from "./faults.ts";

/**
 * Responses of the program, by channel and request. Events and a reconnect mark them as stale. The program runs on this
 * computer, so the browser's online state and automatic retries do not apply.
 */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { networkMode: "always", retry: false, refetchOnWindowFocus: false },
    mutations: { networkMode: "always" },
  },
});

export function channelQuery<C extends DesktopChannel>(channel: C, request: DesktopRequest<C>) {
  return queryOptions<DesktopResponse<C>>({ queryKey: [channel, request], queryFn: () => call(channel, request) });
}

export type ChannelState<T> = {
  /** null until the first response; the previous response stays until the next one arrives. */
  readonly value: T | null;
  readonly fault: string | null;
  /** Why the shown response could not be refetched. It stays visible: a form may be open on it. */
  readonly staleFault: string | null;
  /** Whether `value` belongs to this request, not to the one before. */
  readonly isCurrent: boolean;
  readonly reload: () => void;
  /** Shows a response that was received another way, such as from saving, and refetches. */
  readonly setValue: (value: T) => void;
};

export function useChannel<C extends DesktopChannel>(
  channel: C,
  request: DesktopRequest<C>,
  options: { readonly refetchInterval?: number; readonly enabled?: boolean } = {},
): ChannelState<DesktopResponse<C>> {
  const query = channelQuery(channel, request);
  const { data, error, isPlaceholderData, refetch } = useQuery({
    ...query,
    ...options,
    placeholderData: keepPreviousData,
  });
  const key = JSON.stringify(request);
  const setValue = useCallback(
    (value: DesktopResponse<C>) => {
      const queryKey = [channel, JSON.parse(key) as DesktopRequest<C>];
      queryClient.setQueryData(queryKey, value);
      void queryClient.invalidateQueries({ queryKey });
    },
    [channel, key],
  );
  const isCurrent = data !== undefined && !isPlaceholderData;
  const fault = error && faultText(error);
  return {
    value: data ?? null,
    fault: isCurrent ? null : fault,
    staleFault: isCurrent ? fault : null,
    isCurrent,
    reload: useCallback(() => void refetch(), [refetch]),
    setValue,
  };
}

/** Events that follow each other within this time cause one refetch [ms]. */
const gatherMs = 200;
const gathered = new Map<string, QueryKey>();

/** Refetches the queries that are shown. @param keys  a channel without parameters matches all its requests */
export function invalidate(...keys: readonly (readonly [DesktopChannel, unknown?])[]): void {
  if (gathered.size === 0)
    setTimeout(() => {
      const queryKeys = [...gathered.values()];
      gathered.clear();
      for (const queryKey of queryKeys) void queryClient.invalidateQueries({ queryKey });
    }, gatherMs);
  for (const key of keys) gathered.set(JSON.stringify(key), key);
}
