import { later } from "../state/later.tsx";
import { useHelp } from "../state/places/help.ts";
import { useCommands } from "../ui/keys/shortcuts.ts";

const Manual = later(async () => (await import("./manual.tsx")).Manual, true);

/** F1 opens the manual at the page of the current screen. */
export function Help() {
  const { page, openHere } = useHelp();
  useCommands({ "shortcuts.help": openHere });
  if (page === null) return null;
  return <Manual page={page} />;
}
