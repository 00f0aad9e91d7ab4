import { useState } from "react";
import type { DesktopResponse } from "../../../core/contract/desktop.ts";
import { call } from "../../state/connection.ts";
import { attempt } from "../../state/faults.ts";
import { useChannel } from "../../state/queries.ts";
import { Button } from "../../ui/button.tsx";
import { Question } from "../../ui/dialogs/dialog.tsx";
import { Loaded, Notice } from "../../ui/empty.tsx";
import { useText } from "../../ui/language/language.ts";
import { create } from "zustand";

type State = DesktopResponse<"encryption.get">;

export function Encryption() {
  const query = useChannel("encryption.get", {});
  return <Loaded query={query}>{(state) => <EncryptionSwitch state={state} onChange={query.setValue} />}</Loaded>;
}

function EncryptionSwitch({ state, onChange }: { readonly state: State; readonly onChange: (state: State) => void }) {
  const text = useText();
  const [isAsking, setAsking] = useState(false);
  const { offered, show } = useRecoveryKey();
  const { isEncrypted, isWanted, isDone, place, plainCopies } = state;
  const plan = async (recoveryKey: string | null) => {
    onChange(await call("encryption.plan", { isWanted: !isWanted, recoveryKey }));
    show(null);
  };
  const change = () =>
    attempt(async () => {
      setAsking(false);
      const fresh = isWanted ? null : (await call("encryption.offer", {})).offered;
      if (fresh === null) await plan(null);
      else show(fresh);
    });
  return (
    <section className="card stack">
      <h2>{text("encryption.title")}</h2>
      <p>{text(isEncrypted ? "encryption.isOn" : "encryption.isOff")}</p>
      {offered !== null && !isWanted && (
        <Notice tone="review">
          <p>{text("encryption.recoveryKeyText")}</p>
          <output className="data recovery-key">{offered.recoveryKey}</output>
          <div className="row no-print">
            <Button icon="print" onClick={() => window.print()}>
              {text("common.print")}
            </Button>
            <Button onClick={() => attempt(() => plan(offered.recoveryKey))}>
              {text("encryption.recoveryKeyKept")}
            </Button>
            <Button onClick={() => show(null)}>{text("common.cancel")}</Button>
          </div>
        </Notice>
      )}
      {isEncrypted !== isWanted && (
        <Notice tone="review">{text(isWanted ? "encryption.waitsToEncrypt" : "encryption.waitsToDecrypt")}</Notice>
      )}
      {!isDone && <p className="quiet">{text("encryption.underWay")}</p>}
      {plainCopies.length > 0 && (
        <Notice tone="review">{text("encryption.plainCopies", { names: plainCopies.join(", ") })}</Notice>
      )}
      {(isEncrypted || isWanted) && <p className="quiet data fine">{text("encryption.place", { place })}</p>}
      <div className="row">
        <Button onClick={() => setAsking(true)}>{text(isWanted ? "encryption.turnOff" : "encryption.turnOn")}</Button>
      </div>
      <Question
        isOpen={isAsking}
        title={text(isWanted ? "encryption.turnOffTitle" : "encryption.turnOnTitle")}
        description={text(isWanted ? "encryption.turnOffText" : "encryption.turnOnText")}
        confirm={text(isWanted ? "encryption.turnOff" : "encryption.turnOn")}
        isDangerous={isWanted}
        onCancel={() => setAsking(false)}
        onConfirm={change}
      />
    </section>
  );
}

type OfferedKey = DesktopResponse<"encryption.offer">["offered"];

type RecoveryKeyState = {
  /** null before an offer, and after its confirmation or rejection. */
  readonly offered: OfferedKey;
  readonly show: (offered: OfferedKey) => void;
};

/** Stays while another settings tab is shown. */
const useRecoveryKey = create<RecoveryKeyState>((set) => ({
  offered: null,
  show: (offered) => set({ offered }),
}));
