import { screens, type Screen } from "../navigation.ts";
import { usePermission } from "../people.ts";

export function useSeenScreens(): readonly Screen[] {
  const seesAccount = usePermission("account");
  return screens.filter((screen) => screen !== "ledger" || seesAccount);
}
