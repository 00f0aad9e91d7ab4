import type { BackupPlan } from "../../../core/contract/desktop/practice/backups.ts";
import { call } from "../../state/connection.ts";
import { attempt } from "../../state/faults.ts";
import { Button } from "../../ui/button.tsx";
import { useDraftOver } from "../../ui/fields/draft-over.ts";
import { Form } from "../../ui/fields/form.tsx";
import { Switch, TextField } from "../../ui/fields/field.tsx";
import { NewSecret, useNewSecret } from "../../ui/fields/new-secret.tsx";
import { useText } from "../../ui/language/language.ts";
import { showToast } from "../../ui/notes/toasts.ts";

export function SecondPlace({ plan, onChange }: { readonly plan: BackupPlan; readonly onChange: () => void }) {
  const text = useText();
  const [{ folder, withFilms, isEncrypted }, setDraft, saveDraft] = useDraftOver("second place", plan);
  const set = (change: Partial<BackupPlan>) => setDraft({ folder, withFilms, isEncrypted, ...change });
  const typed = useNewSecret(8);
  const hasPassphrase = isEncrypted && typed.secret + typed.repeated !== "";
  const save = () =>
    attempt(() =>
      saveDraft(async () => {
        await call("backups.savePlan", {
          folder: folder?.trim() || null,
          withFilms,
          isEncrypted,
          passphrase: hasPassphrase ? typed.secret : null,
        });
        typed.clear();
        showToast("note", text("settings.planSaved"));
        onChange();
      }),
    );
  return (
    <Form className="card stack" onSubmit={save}>
      <h2>{text("settings.outside")}</h2>
      <TextField
        label={text("settings.outsideFolder")}
        note={text("settings.outsideNote")}
        value={folder ?? ""}
        onChange={(event) => set({ folder: event.target.value })}
      />
      <Switch label={text("settings.withFilms")} isOn={withFilms} onChange={(withFilms) => set({ withFilms })} />
      <Switch
        label={text("settings.isEncrypted")}
        isOn={isEncrypted}
        onChange={(isEncrypted) => set({ isEncrypted })}
      />
      {isEncrypted && (
        <NewSecret label={text("settings.passphrase")} note={text("settings.passphraseNote")} typed={typed} />
      )}
      <div className="row">
        <Button tone="primary" type="submit" disabled={hasPassphrase && !typed.isGood}>
          {text("common.save")}
        </Button>
      </div>
    </Form>
  );
}
