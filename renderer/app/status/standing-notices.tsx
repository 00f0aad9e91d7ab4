import { useSyncExternalStore } from "react";
import { holdsUnsaved, useUnsaved, watchUnsaved } from "../connection/unsaved.ts";
import { failureText } from "../../state/faults.ts";
import { useNavigation } from "../../state/navigation.ts";
import { useProgram } from "../../state/program.ts";
import { useDrafts } from "../../state/upkeep/drafts.ts";
import { ToSettings } from "../../state/places/to-settings.tsx";
import { Button } from "../../ui/button.tsx";
import { Notice } from "../../ui/empty.tsx";
import { useLanguage, useText } from "../../ui/language/language.ts";

/** What stands in the way now and what to do about it, above every screen; each is gone when it is over. */
export function StandingNotices() {
  const text = useText();
  const language = useLanguage((state) => state.language);
  const { link, health } = useProgram();
  const drafts = useDrafts((state) => state.state);
  const screen = useNavigation((state) => state.screen);
  const isHeld = useSyncExternalStore(watchUnsaved, holdsUnsaved);
  if (link === "offline")
    return (
      <Notice tone="fault">
        <strong>{text("common.offlineTitle")}</strong> {text("common.offlineText")}
      </Notice>
    );
  if (!health) return null;
  return (
    <>
      {health.troubles.map((trouble) => (
        <Notice key={trouble.code} tone="fault">
          {failureText(trouble, language)}
        </Notice>
      ))}
      {drafts?.isAway && !drafts.isOnDrafts && isHeld && (
        <Notice tone="review">
          <strong>{text("common.heldTitle")}</strong> {text("common.heldText")}{" "}
          <Button onClick={() => useUnsaved.getState().giveUp()}>{text("common.heldGiveUp")}</Button>
        </Notice>
      )}
      {drafts?.isOnDrafts && (
        <Notice tone="review">
          <strong>{text("common.draftsTitle")}</strong> {text("common.draftsText", { films: drafts.films })}
        </Notice>
      )}
      {health.isQueueFull && (
        <Notice tone="review">
          <strong>{text("common.queueFullTitle")}</strong> {text("common.queueFullText")}
        </Notice>
      )}
      {health.hasNoPack && screen === "films" && <NoPack />}
    </>
  );
}

function NoPack() {
  const text = useText();
  return (
    <Notice tone="review">
      <strong>{text("common.noPackTitle")}</strong> {text("common.noPackText")} <ToSettings tab="packs" />
    </Notice>
  );
}
