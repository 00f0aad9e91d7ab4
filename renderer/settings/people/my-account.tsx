import { useState } from "react";
import { call, connection } from "../../state/connection.ts";
import { faultText, attempt } from "../../state/faults.ts";
import { usePeople } from "../../state/people.ts";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/fields/field.tsx";
import { Form } from "../../ui/fields/form.tsx";
import { NewSecret, useNewSecret } from "../../ui/fields/new-secret.tsx";
import { useText } from "../../ui/language/language.ts";
import { showToast } from "../../ui/notes/toasts.ts";

export function MyAccount() {
  const text = useText();
  const me = usePeople((state) => state.session?.me);
  const [oldSecret, setOldSecret] = useState("");
  const typed = useNewSecret();
  const [fault, setFault] = useState<string | null>(null);
  if (!me) return null;
  const canSave = oldSecret !== "" && typed.isGood;
  const submit = () => {
    call("people.setOwnSecret", { oldSecret, secret: typed.secret }).then(
      () => {
        setOldSecret("");
        typed.clear();
        setFault(null);
        showToast("note", text("audited.person.secret_changed"));
      },
      (error: unknown) => setFault(faultText(error)),
    );
  };
  return (
    <div className="settings-columns">
      <Form className="card stack" onSubmit={submit}>
        <h2>{me.name}</h2>
        <p className="quiet">
          {text(`people.role_${me.role}`)}: {text(`people.may_${me.role}`)}
        </p>
        <TextField
          label={text("people.oldSecret")}
          type="password"
          autoComplete="current-password"
          value={oldSecret}
          maxLength={200}
          fault={fault}
          onChange={(event) => setOldSecret(event.target.value)}
        />
        <NewSecret label={text("people.newSecret")} typed={typed} />
        <div className="row">
          <Button type="submit" tone="primary" disabled={!canSave}>
            {text("people.ownSecret")}
          </Button>
        </div>
      </Form>
      {connection().kind === "browser" && (
        <section className="card stack">
          <h2>{text("people.browsers")}</h2>
          <p className="quiet">{text("people.browsersText")}</p>
          <div className="row">
            <Button
              onClick={() =>
                attempt(async () => {
                  await call("session.forgetBrowser", { isEveryOne: false });
                  window.location.reload();
                })
              }
            >
              {text("people.forgetBrowser")}
            </Button>
          </div>
        </section>
      )}
    </div>
  );
}
