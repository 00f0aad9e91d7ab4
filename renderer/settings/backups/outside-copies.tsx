import { useState } from "react";
import type { DesktopResponse } from "../../../core/contract/desktop.ts";
import { call } from "../../state/connection.ts";
import { attempt } from "../../state/faults.ts";
import { useChannel } from "../../state/queries.ts";
import { Button } from "../../ui/button.tsx";
import { Loaded } from "../../ui/empty.tsx";
import { TextField } from "../../ui/fields/field.tsx";
import { useFormat } from "../../ui/language/format.ts";
import { useText } from "../../ui/language/language.ts";
import { showToast } from "../../ui/notes/toasts.ts";
import { Table } from "../../ui/table.tsx";
import { RestoreQuestion } from "./restore-question.tsx";
import { SecondPlace } from "./second-place.tsx";

type Outside = DesktopResponse<"backups.list">["outside"];

export function OutsideCopies({ copies, onChange }: { readonly copies: Outside; readonly onChange: () => void }) {
  const text = useText();
  const format = useFormat();
  const query = useChannel("backups.plan", {});
  const [typed, setTyped] = useState("");
  const [restoring, setRestoring] = useState<Outside[number] | null>(null);
  const passphraseOf = ({ name }: Outside[number]) => (isEncrypted(name) && typed !== "" ? typed : null);
  const isOpenable = (copy: Outside[number]) => !isEncrypted(copy.name) || typed !== "";
  const restore = () =>
    attempt(async () => {
      const copy = restoring;
      setRestoring(null);
      if (!copy) return;
      await call("backups.restore", { name: copy.name, passphrase: passphraseOf(copy) });
      setTyped("");
      onChange();
    });
  const changed = () => {
    query.reload();
    onChange();
  };
  return (
    <>
      <Loaded query={query}>{(plan) => <SecondPlace plan={plan} onChange={changed} />}</Loaded>
      {copies.some(({ name }) => isEncrypted(name)) && (
        <TextField
          label={text("settings.copyPassphrase")}
          note={text("settings.copyPassphraseNote")}
          type="password"
          value={typed}
          maxLength={200}
          onChange={(event) => setTyped(event.target.value)}
        />
      )}
      {copies.length > 0 && (
        <Table
          heads={[
            text("ledger.at"),
            text("database.machine"),
            { number: text("settings.size") },
            { hidden: text("settings.checkBackup") },
          ]}
        >
          {copies.map((copy) => (
            <tr key={copy.name}>
              <td className="data">{format.minute(copy.at)}</td>
              <td>{copy.machine}</td>
              <td className="number">{format.bytes(copy.bytes)}</td>
              <td className="number">
                <CheckBackup name={copy.name} passphrase={passphraseOf(copy)} isDisabled={!isOpenable(copy)} />
                <Button disabled={!isOpenable(copy)} onClick={() => setRestoring(copy)}>
                  {text("settings.restore")}
                </Button>
              </td>
            </tr>
          ))}
        </Table>
      )}
      <RestoreQuestion
        madeAt={restoring?.at ?? null}
        description={text("settings.restoreCopyText")}
        onCancel={() => setRestoring(null)}
        onConfirm={restore}
      />
    </>
  );
}

/** Encrypted backups are recognised by their file extension. */
function isEncrypted(name: string): boolean {
  return name.endsWith(".corvet");
}

type CheckProps = { readonly name: string; readonly passphrase: string | null; readonly isDisabled?: boolean };

export function CheckBackup({ name, passphrase, isDisabled = false }: CheckProps) {
  const text = useText();
  const [isChecking, setChecking] = useState(false);
  const check = () =>
    attempt(async () => {
      setChecking(true);
      try {
        const { ledgerRows, values, films } = await call("backups.check", { name, passphrase });
        showToast("note", text("settings.backupOpens", { rows: ledgerRows, values, films }));
      } finally {
        setChecking(false);
      }
    });
  return (
    <Button disabled={isDisabled} isBusy={isChecking} onClick={check}>
      {text("settings.checkBackup")}
    </Button>
  );
}
