import { useAnnotations } from "../../state/drawing/annotations.ts";
import { isDatabaseAway, useDatabase } from "../../state/database.ts";
import { useProgram } from "../../state/program.ts";
import { hasUnsavedInput, useUnsaved, watchUnsaved } from "./unsaved.ts";

/**
 * Reloads the page when the practice's database becomes unreachable or reachable again, since the program then shows
 * other films. Waits until no unsaved work would be lost.
 *
 * @returns function that stops following
 */
export function reloadOnDatabaseChange(reload = () => window.location.reload()): () => void {
  let wasAway = false;
  let isReloading = false;
  const look = (): void => {
    const { health } = useProgram.getState();
    if (health === null) return;
    const isAway = isDatabaseAway(health);
    const isBack = wasAway && !isAway;
    wasAway = isAway;
    if (useDatabase.getState().isShownAway === null) useDatabase.setState({ isShownAway: isAway });
    if (isBack) {
      useUnsaved.setState({ isDiscarded: false });
      useAnnotations.getState().savePending();
    }
    if (isReloading || isAway === useDatabase.getState().isShownAway || hasUnsavedInput()) return;
    isReloading = true;
    reload();
  };
  const ends = [useProgram.subscribe(look), watchUnsaved(look)];
  look();
  return () => {
    for (const end of ends) end();
  };
}
