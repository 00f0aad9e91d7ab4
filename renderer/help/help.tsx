import { lazy, Suspense } from "react";
import { useHelp } from "../state/places/help.ts";
import { useCommands } from "../ui/keys/shortcuts.ts";

const Manual = lazy(async () => ({ default: (await import("./manual.tsx")).Manual }));

/** F1 opens the manual at the page about what is on the screen. */
export function Help() {
  const { page, openHere } = useHelp();
  useCommands({ "shortcuts.help": openHere });
  if (page === null) return null;
  return (
    <Suspense>
      <Manual page={page} />
    </Suspense>
  );
}
