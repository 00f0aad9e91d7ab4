import { useSyncExternalStore } from "react";
import { hasUnsavedInput, useUnsaved, watchUnsaved } from "../connection/unsaved.ts";
import { isDatabaseAway, useDatabase } from "../../state/database.ts";
import { failureText } from "../../state/faults.ts";
import { useNavigation } from "../../state/navigation.ts";
import { useProgram } from "../../state/program.ts";
import { ToSettings } from "../../state/places/to-settings.tsx";
import { Button } from "../../ui/button.tsx";
import { Notice } from "../../ui/empty.tsx";
import { useLanguage, useText } from "../../ui/language/language.ts";

export function StandingNotices() {
  const text = useText();
  const language = useLanguage((state) => state.language);
  const { link, health } = useProgram();
  const screen = useNavigation((state) => state.screen);
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
      <DatabaseNotices isAway={isDatabaseAway(health)} />
      {health.isQueueFull && (
        <Notice tone="review">
          <strong>{text("common.queueFullTitle")}</strong> {text("common.queueFullText")}
        </Notice>
      )}
      {health.hasNoPack && screen === "films" && <NoPack />}
    </>
  );
}

function DatabaseNotices({ isAway }: { readonly isAway: boolean }) {
  const text = useText();
  const isShownAway = useDatabase((state) => state.isShownAway) ?? isAway;
  const isHeld = useSyncExternalStore(watchUnsaved, hasUnsavedInput);
  if (isAway && isShownAway)
    return (
      <Notice tone="review">
        <strong>{text("common.awayTitle")}</strong> {text("common.awayText")}
      </Notice>
    );
  if (isAway === isShownAway || !isHeld) return null;
  return (
    <Notice tone="review">
      <strong>{text(isAway ? "common.heldTitle" : "common.backTitle")}</strong>{" "}
      {text(isAway ? "common.heldText" : "common.backText")}{" "}
      <Button onClick={() => useUnsaved.getState().discard()}>{text("common.heldGiveUp")}</Button>
    </Notice>
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
