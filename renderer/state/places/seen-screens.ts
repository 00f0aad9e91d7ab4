import { screens, type Screen } from "../navigation.ts";
import { useMay } from "../people.ts";

export function useSeenScreens(): readonly Screen[] {
  const seesAccount = useMay("account");
  return screens.filter((screen) => screen !== "ledger" || seesAccount);
}
