import type { UpdateState } from "../../core/contract/desktop/updates.ts";
import { failureInWords } from "../../core/language/failure-in-words.ts";
import { attempt } from "../state/faults.ts";
import { usePermission } from "../state/people.ts";
import {
  configureUpdates,
  installUpdate,
  runUpdateAction,
  useUpdates,
  installBlocker,
} from "../state/upkeep/updates.ts";
import { Button } from "../ui/button.tsx";
import { Notice } from "../ui/empty.tsx";
import { Switch } from "../ui/fields/field.tsx";
import { useFormat } from "../ui/language/format.ts";
import { useText } from "../ui/language/language.ts";
import { SavedText } from "./saved-text.tsx";

const reasons = {
  service: "updates.service",
  not_installed: "faults.updateNotInstalled",
  no_key: "faults.updateKeyMissing",
} as const;

export function Updates() {
  const text = useText();
  const state = useUpdates();
  const mayAdminister = usePermission("administer");
  if (!state) return null;
  return (
    <section className="card stack" data-testid="updates">
      <h2>{text("updates.title")}</h2>
      {state.whyNot === null ? (
        <>
          {state.release && <Ready release={state.release} />}
          <Outcome state={state} />
          {mayAdminister && <Controls state={state} />}
        </>
      ) : (
        <p className="quiet">{text(reasons[state.whyNot])}</p>
      )}
    </section>
  );
}

function Ready({ release }: { readonly release: NonNullable<UpdateState["release"]> }) {
  const text = useText();
  const format = useFormat();
  return (
    <>
      <strong>{text(release.isOlder ? "updates.readyOlder" : "updates.ready", { version: release.version })}</strong>
      <p className="quiet">
        {text("updates.released", { day: format.day(release.releasedAt) })}
        {release.migrates && !release.waitsForOwner && ` ${text("updates.migrates")}`}
      </p>
      {release.changes !== "" && (
        <details>
          <summary>{text("updates.changes")}</summary>
          <pre className="pack-card data">{release.changes}</pre>
        </details>
      )}
    </>
  );
}

function Outcome({ state }: { readonly state: UpdateState }) {
  const { phase, fetched, outcome, checkedAt, laterUntil } = state;
  const waiting = installBlocker(state);
  const text = useText();
  const format = useFormat();
  return (
    <div role="status" className="stack">
      {phase === "checking" && <p>{text("updates.checking")}</p>}
      {phase === "fetching" && (
        <>
          <p>{text("updates.fetching", { percent: Math.floor(fetched * 100) })}</p>
          <progress className="progress" value={fetched} aria-label={text("updates.title")} />
        </>
      )}
      {outcome?.kind === "current" && <p>{text("updates.current")}</p>}
      {waiting && <Notice tone="review">{text(`updates.wait_${waiting}`)}</Notice>}
      {outcome?.kind === "failed" && <Notice tone="fault">{failureInWords(outcome.failure, text)}</Notice>}
      {laterUntil && <p>{text("updates.laterUntil", { time: format.minute(laterUntil) })}</p>}
      {checkedAt && <p className="quiet">{text("updates.checkedAt", { time: format.minute(checkedAt) })}</p>}
    </div>
  );
}

function Controls({ state }: { readonly state: UpdateState }) {
  const text = useText();
  const { isAutomatic, mirror, release, phase } = state;
  const isBusy = phase === "checking" || phase === "fetching";
  return (
    <>
      {release && (
        <div className="row">
          <Button tone="primary" onClick={() => attempt(installUpdate)}>
            {text(release.isOlder ? "updates.goBack" : "updates.install")}
          </Button>
          <Button onClick={() => attempt(() => runUpdateAction("updates.later"))}>{text("updates.later")}</Button>
        </div>
      )}
      {release && isAutomatic && !release.isOlder && !release.waitsForOwner && (
        <p className="quiet">{text("updates.atQuit")}</p>
      )}
      <div className="row">
        {state.feed !== null && (
          <Button isBusy={isBusy} onClick={() => attempt(() => runUpdateAction("updates.check"))}>
            {text("updates.check")}
          </Button>
        )}
        <Button isBusy={isBusy} onClick={() => attempt(() => runUpdateAction("updates.openFile"))}>
          {text("updates.fromFile")}
        </Button>
      </div>
      <Switch
        label={text("updates.automatic")}
        isOn={isAutomatic}
        onChange={(isOn) => attempt(() => configureUpdates({ isAutomatic: isOn }))}
      />
      <p className="quiet fine">{text("updates.automaticNote")}</p>
      <SavedText
        name="updates.mirror"
        label={text("updates.mirror")}
        note={text("updates.mirrorNote")}
        value={mirror}
        maxLength={500}
        onSave={(address) => configureUpdates({ mirror: address })}
      />
    </>
  );
}
