import { useState } from "react";
import type { DesktopResponse } from "../../../core/contract/desktop.ts";
import { call } from "../../state/connection.ts";
import { attempt } from "../../state/faults.ts";
import { useAsked } from "../../state/use-asked.ts";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";
import { useFormat } from "../../ui/language/format.ts";
import { useText } from "../../ui/language/language.ts";
import { useToasts } from "../../ui/toasts.tsx";
import { SecondPlace } from "./second-place.tsx";

type Outside = DesktopResponse<"backups.list">["outside"];

/** The second place, and the copies that lie there. */
export function OutsideCopies({ copies, onChange }: { readonly copies: Outside; readonly onChange: () => void }) {
  const text = useText();
  const format = useFormat();
  const { value: plan, reload } = useAsked("backups.plan", {});
  const [passphrase, setPassphrase] = useState("");
  const changed = () => {
    reload();
    onChange();
  };
  return (
    <>
      {plan && <SecondPlace plan={plan} onChange={changed} />}
      {copies.some(({ name }) => name.endsWith(".corvet")) && (
        <TextField
          label={text("settings.passphrase")}
          type="password"
          value={passphrase}
          onChange={(event) => setPassphrase(event.target.value)}
        />
      )}
      {copies.length > 0 && (
        <table className="grid-table">
          <thead>
            <tr>
              <th>{text("ledger.at")}</th>
              <th className="number">{text("settings.size")}</th>
              <th>
                <span className="visually-hidden">{text("settings.checkBackup")}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {copies.map((copy) => (
              <tr key={copy.name}>
                <td className="data">{format.minute(copy.at)}</td>
                <td className="number">{format.bytes(copy.bytes)}</td>
                <td className="number">
                  <CheckBackup name={copy.name} passphrase={passphrase === "" ? null : passphrase} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </>
  );
}

/** Tries a backup out beside the store and says what is in it. */
export function CheckBackup({ name, passphrase }: { readonly name: string; readonly passphrase: string | null }) {
  const text = useText();
  const [isChecking, setChecking] = useState(false);
  const check = () =>
    attempt(async () => {
      setChecking(true);
      try {
        const { ledgerRows, values, films } = await call("backups.check", { name, passphrase });
        useToasts.getState().show("note", text("settings.backupOpens", { rows: ledgerRows, values, films }));
      } finally {
        setChecking(false);
      }
    });
  return (
    <Button disabled={isChecking} onClick={check}>
      {text("settings.checkBackup")}
    </Button>
  );
}
