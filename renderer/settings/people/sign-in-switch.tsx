import { useState } from "react";
import { maxLockMinutes } from "../../../core/contract/desktop/practice/people.ts";
import type { DesktopResponse } from "../../../core/contract/desktop.ts";
import { call, connection } from "../../state/connection.ts";
import { Button } from "../../ui/button.tsx";
import { Question } from "../../ui/dialogs/dialog.tsx";
import { WholeNumber } from "../whole-number.tsx";
import { useText } from "../../ui/language/language.ts";
import { TurnOn } from "./turn-on.tsx";

type List = DesktopResponse<"people.list">;
type Props = {
  readonly list: List;
  readonly onChange: (work: () => Promise<unknown>) => void;
  /** As `onChange`, but rejects on failure. */
  readonly onApply: (work: () => Promise<unknown>) => Promise<void>;
};

export function SignInSwitch({ list, onChange, onApply }: Props) {
  const text = useText();
  const [asks, setAsks] = useState<"on" | "off" | null>(null);
  const administrators = list.people.filter(({ role, retiredAt }) => role === "administrator" && retiredAt === null);
  const close = () => setAsks(null);
  return (
    <section className="card stack">
      <h2>{text("people.introTitle")}</h2>
      <p>{text(list.isOn ? "people.introOn" : "people.introOff")}</p>
      {list.isOn && (
        <WholeNumber
          name="lockAfterMinutes"
          label={text("people.lockAfter")}
          value={list.lockAfterMinutes}
          most={maxLockMinutes}
          onSave={(lockAfterMinutes) => onApply(() => call("people.configure", { lockAfterMinutes }))}
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
      <p className="quiet fine">
        {text(`people.forgotten_${list.forgotten.does}`, { command: list.forgotten.command })}
      </p>
      {asks === "on" && (
        <TurnOn
          administrators={administrators}
          onClose={close}
          onTurnOn={(personId, secret) => onApply(() => call("people.turnOn", { personId, secret }))}
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
