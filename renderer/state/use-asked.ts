import { useCallback, useEffect, useState } from "react";
import type { DesktopChannel, DesktopRequest, DesktopResponse } from "../../core/contract/desktop.ts";
import { call } from "./connection.ts";
import { attempt, faultText } from "./faults.ts";
import { useProgram } from "./program.ts";

/** An answer that a screen shows: null until it is there. */
export type Asked<T> = {
  readonly value: T | null;
  /** Why there is no answer to this request. */
  readonly fault: string | null;
  /** Why the answer that is shown could not be asked for anew: it stays, for somebody may be typing into its fields. */
  readonly staleFault: string | null;
  /** Whether it answers this request: the answer to the one before stays until then. */
  readonly isAnswered: boolean;
  readonly reload: () => void;
  /** Shows an answer that came another way, such as of what saved it, and asks once more. */
  readonly take: (value: T) => void;
};

/**
 * Asks once the component is shown, whenever the request or `version` changes, and when the program is back; an older
 * answer that comes late is dropped.
 *
 * @param version  anything that grows when the answer may have changed
 */
export function useAsked<C extends DesktopChannel>(
  channel: C,
  request: DesktopRequest<C>,
  version = 0,
): Asked<DesktopResponse<C>> {
  const [state, setState] = useState<{
    value: DesktopResponse<C> | null;
    answered: string | null;
    /** Of the request that failed: another one's is not its. */
    failed: { readonly asked: string; readonly fault: string } | null;
  }>({ value: null, answered: null, failed: null });
  const [round, setRound] = useState(0);
  const returns = useProgram((program) => program.returns);
  const asked = JSON.stringify(request);
  useEffect(() => {
    let isCurrent = true;
    call(channel, JSON.parse(asked) as DesktopRequest<C>).then(
      (value) => isCurrent && setState({ value, answered: asked, failed: null }),
      (error: unknown) =>
        isCurrent && setState((before) => ({ ...before, failed: { asked, fault: faultText(error) } })),
    );
    return () => {
      isCurrent = false;
    };
  }, [channel, asked, version, round, returns]);
  const reload = useCallback(() => setRound((before) => before + 1), []);
  const take = useCallback(
    (value: DesktopResponse<C>) => {
      setState({ value, answered: asked, failed: null });
      reload();
    },
    [asked, reload],
  );
  const { value, answered, failed } = state;
  const isAnswered = answered === asked;
  const fault = failed?.asked === asked ? failed.fault : null;
  return {
    value,
    fault: isAnswered ? null : fault,
    staleFault: isAnswered ? fault : null,
    isAnswered,
    reload,
    take,
  };
}

/** Has a store ask once the component is shown, and again when the program is back. */
export function useAsking(ask: () => Promise<unknown>): void {
  const returns = useProgram((program) => program.returns);
  useEffect(() => attempt(ask), [ask, returns]);
}
