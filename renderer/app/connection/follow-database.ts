import type { DraftState } from "../../../core/contract/desktop/practice/drafts.ts";
import { useAnnotations } from "../../state/drawing/annotations.ts";
import { call } from "../../state/connection.ts";
import { showFault } from "../../state/faults.ts";
import { useDrafts } from "../../state/upkeep/drafts.ts";
import { holdsUnsaved, useUnsaved, watchUnsaved } from "./unsaved.ts";

/**
 * Has the page go over to drafts when the practice's database is away, and back when it answers, as soon as nothing
 * would be lost by it.
 *
 * @param loadAnew  the other store has other films, patients and settings
 * @returns         ends it
 */
export function followDatabase(loadAnew = () => window.location.reload()): () => void {
  let isShownOnDrafts: boolean | null = null;
  let wasAway = false;
  let done: DraftState | null = null;
  const look = (): void => {
    const { state } = useDrafts.getState();
    if (state === null || state === done) return;
    const isBack = wasAway && !state.isAway;
    wasAway = state.isAway;
    if (isBack) {
      useUnsaved.setState({ isGivenUp: false });
      useAnnotations.getState().goOn();
    }
    isShownOnDrafts ??= state.isOnDrafts;
    if (holdsUnsaved()) return;
    done = state;
    if (state.isOnDrafts !== isShownOnDrafts) return loadAnew();
    const step = nextStep(state);
    if (step) call(step, {}).catch(showFault);
  };
  const ends = [useDrafts.subscribe(look), watchUnsaved(look)];
  look();
  return () => {
    for (const end of ends) end();
  };
}

function nextStep({ isAway, isOnDrafts, films }: DraftState): "drafts.begin" | "drafts.handOver" | null {
  if (isAway) return isOnDrafts ? null : "drafts.begin";
  return isOnDrafts || films > 0 ? "drafts.handOver" : null;
}
