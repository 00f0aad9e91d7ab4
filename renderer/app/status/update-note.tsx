import { attempt } from "../../state/faults.ts";
import { useMay } from "../../state/people.ts";
import { useUpdates, waitsFor } from "../../state/upkeep/updates.ts";
import { useAsking } from "../../state/use-asked.ts";
import { Button } from "../../ui/button.tsx";
import { useText } from "../../ui/language/language.ts";

/** A release lies ready: a line that can be left alone, with "later". Never a dialog over the work. */
export function UpdateNote() {
  const text = useText();
  const mayInstall = useMay("administer");
  const { state, ask, act, install } = useUpdates();
  useAsking(ask);
  if (!state?.release || state.laterUntil !== null) return null;
  const { version, isOlder } = state.release;
  const waiting = waitsFor(state);
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
            <Button onClick={() => attempt(() => act("updates.later"))}>{text("updates.later")}</Button>
            <Button tone="primary" onClick={() => attempt(install)}>
              {text(isOlder ? "updates.goBack" : "updates.install")}
            </Button>
          </span>
        )}
      </div>
    </div>
  );
}
