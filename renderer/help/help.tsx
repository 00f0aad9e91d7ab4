import { later } from "../state/later.tsx";
import { useHelp } from "../state/places/help.ts";
import { useCommands } from "../ui/keys/shortcuts.ts";

const Manual = later(async () => (await import("./manual.tsx")).Manual, true);

export function Help() {
  const { page, openHere } = useHelp();
  useCommands({ "shortcuts.help": openHere });
  if (page === null) return null;
  return <Manual page={page} />;
}
