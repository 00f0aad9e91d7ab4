import { useState, type FormEvent } from "react";
import { mostLockMinutes } from "../../../core/contract/desktop/people.ts";
import type { DesktopResponse } from "../../../core/contract/desktop.ts";
import { call, connection } from "../../state/connection.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog, Question } from "../../ui/dialog.tsx";
import { Choice, TextField } from "../../ui/fields/field.tsx";
import { useDraftOver } from "../../ui/fields/draft-over.ts";
import { useText } from "../../ui/language/language.ts";
import { numberOf } from "../../ui/language/typed-number.ts";

type List = DesktopResponse<"people.list">;
type Change = (work: () => Promise<unknown>) => void;

/** Whether people sign in, when the screen locks, and which browsers may open the page. */
export function SignInSwitch({ list, onChange }: { readonly list: List; readonly onChange: Change }) {
  const text = useText();
  const [asks, setAsks] = useState<"on" | "off" | null>(null);
  const administrators = list.people.filter(({ role, retiredAt }) => role === "administrator" && retiredAt === null);
  const close = () => setAsks(null);
  return (
    <section className="card stack">
      <h2>{text("people.introTitle")}</h2>
      <p>{text(list.isOn ? "people.introOn" : "people.introOff")}</p>
      {list.isOn && (
        <LockAfter
          minutes={list.lockAfterMinutes}
          onSave={(lockAfterMinutes) => onChange(() => call("people.configure", { lockAfterMinutes }))}
        />
      )}
      <div className="row">
        {list.isOn ? (
          <Button onClick={() => setAsks("off")}>{text("people.turnOff")}</Button>
        ) : (
          <Button tone="primary" disabled={administrators.length === 0} onClick={() => setAsks("on")}>
            {text("people.turnOn")}
          </Button>
        )}
        {!list.isOn && administrators.length === 0 && (
          <span className="quiet">{text("people.needsAdministrator")}</span>
        )}
        {connection().kind === "browser" && (
          <Button onClick={() => onChange(() => call("session.forgetBrowser", { isEveryOne: true }))}>
            {text("people.forgetEvery")}
          </Button>
        )}
      </div>
      <p className="quiet fine">{text("people.forgotten", { command: list.forgottenCommand })}</p>
      {asks === "on" && (
        <TurnOn
          administrators={administrators}
          onClose={close}
          onTurnOn={(personId, secret) => {
            onChange(() => call("people.turnOn", { personId, secret }));
            close();
          }}
        />
      )}
      <Question
        isOpen={asks === "off"}
        title={text("people.turnOff")}
        description={text("people.turnOffText")}
        confirm={text("people.turnOff")}
        isDangerous
        onCancel={close}
        onConfirm={() => {
          onChange(() => call("people.turnOff", {}));
          close();
        }}
      />
    </section>
  );
}

function LockAfter({ minutes, onSave }: { readonly minutes: number; readonly onSave: (minutes: number) => void }) {
  const text = useText();
  const [draft, setDraft] = useDraftOver(String(minutes));
  const typed = numberOf(draft) ?? 0;
  const isGood = Number.isInteger(typed) && typed >= 1 && typed <= mostLockMinutes;
  return (
    <TextField
      label={text("people.lockAfter")}
      fault={isGood ? null : text("people.lockAfterFault", { most: mostLockMinutes })}
      inputMode="numeric"
      value={draft}
      onChange={(event) => setDraft(event.target.value)}
      onBlur={() => isGood && typed !== minutes && onSave(typed)}
    />
  );
}

/** An administrator signs in with what turns it on: a PIN that was mistyped would lock everybody out. */
function TurnOn({
  administrators,
  onClose,
  onTurnOn,
}: {
  readonly administrators: List["people"];
  readonly onClose: () => void;
  readonly onTurnOn: (personId: string, secret: string) => void;
}) {
  const text = useText();
  const [personId, setPersonId] = useState(administrators[0]?.id ?? "");
  const [secret, setSecret] = useState("");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (secret !== "") onTurnOn(personId, secret);
  };
  return (
    <Dialog isOpen onClose={onClose} title={text("people.turnOn")} description={text("people.turnOnText")}>
      <form className="stack" onSubmit={submit}>
        <Choice
          label={text("people.role_administrator")}
          value={personId}
          onChoose={setPersonId}
          options={administrators.map(({ id, name }) => ({ value: id, label: name }))}
        />
        <TextField
          label={text("people.secretOf")}
          type="password"
          autoComplete="current-password"
          value={secret}
          maxLength={200}
          onChange={(event) => setSecret(event.target.value)}
        />
        <div className="dialog-buttons">
          <Button tone="plain" onClick={onClose}>
            {text("common.cancel")}
          </Button>
          <button type="submit" className="button primary" disabled={secret === ""}>
            {text("people.turnOn")}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
