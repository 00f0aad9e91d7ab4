import { attempt } from "../../state/faults.ts";
import { usePermission } from "../../state/people.ts";
import { installUpdate, runUpdateAction, useUpdates, installBlocker } from "../../state/upkeep/updates.ts";
import { Button } from "../../ui/button.tsx";
import { useText } from "../../ui/language/language.ts";

/** Notice about a pending release, which can be postponed. Never a dialog, which would interrupt the work. */
export function UpdateNote() {
  const text = useText();
  const mayInstall = usePermission("administer");
  const state = useUpdates();
  if (!state?.release || state.laterUntil !== null) return null;
  const { version, isOlder } = state.release;
  const waiting = installBlocker(state);
  return (
    <div className="notice no-print update-note" role="status" data-testid="update-note">
      <div className="row spread">
        <span>
          <strong>{text(isOlder ? "updates.readyOlder" : "updates.ready", { version })}</strong>
          {" · "}
          {waiting ? text(`updates.wait_${waiting}`) : state.isAutomatic && !isOlder && text("updates.atQuit")}
        </span>
        {mayInstall && (
          <span className="row">
            <Button onClick={() => attempt(() => runUpdateAction("updates.later"))}>{text("updates.later")}</Button>
            <Button tone="primary" onClick={() => attempt(installUpdate)}>
              {text(isOlder ? "updates.goBack" : "updates.install")}
            </Button>
          </span>
        )}
      </div>
    </div>
  );
}
