import { useState } from "react";
import { call } from "../connection.ts";
import { attempt } from "../faults.ts";
import { useMay } from "../people.ts";
import { useChannel } from "../queries.ts";

/** Switch for starting at log-in; null if unavailable or managed by the system. */
export function useStartAtLogIn(): { readonly isOn: boolean; readonly turn: (isOn: boolean) => void } | null {
  const mayAdminister = useMay("administer");
  const { value } = useChannel("app.logIn", {});
  const [changed, setChanged] = useState<boolean | null>(null);
  const isOn = changed ?? value?.startsAtLogIn ?? null;
  if (isOn === null || !mayAdminister) return null;
  const turn = (startsAtLogIn: boolean) =>
    attempt(async () => setChanged((await call("app.saveLogIn", { startsAtLogIn })).startsAtLogIn));
  return { isOn, turn };
}
