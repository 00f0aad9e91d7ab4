import { useState, type KeyboardEvent } from "react";
import type { PersonSession } from "../../../core/contract/desktop/practice/people.ts";
import { usePeople } from "../../state/people.ts";
import { useSecret } from "../../state/use-secret.ts";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/fields/field.tsx";
import { Form } from "../../ui/fields/form.tsx";
import { useText } from "../../ui/language/language.ts";

const digits = 9;

export function SignInForm({ session, chosen }: { readonly session: PersonSession; readonly chosen: string | null }) {
  const only = session.people.length === 1 ? session.people[0]?.id : undefined;
  const [personId, choose] = useState(chosen ?? only ?? null);
  const person = session.people.find(({ id }) => id === personId);
  const chooseByKey = (event: KeyboardEvent) => {
    const found = /^[1-9]$/.test(event.key) ? session.people[Number(event.key) - 1] : undefined;
    if (!found || person) return;
    event.preventDefault();
    choose(found.id);
  };
  if (!person)
    return (
      <ul className="sign-in-people" onKeyDown={chooseByKey}>
        {session.people.map(({ id, name }, index) => (
          <li key={id}>
            <button
              type="button"
              className="sign-in-person"
              autoFocus={index === 0}
              aria-keyshortcuts={index < digits ? String(index + 1) : undefined}
              onClick={() => choose(id)}
            >
              <kbd aria-hidden="true">{index < digits ? index + 1 : ""}</kbd>
              <span>{name}</span>
            </button>
          </li>
        ))}
      </ul>
    );
  return <SecretForm key={person.id} person={person} onOther={only ? null : () => choose(null)} />;
}

function SecretForm({
  person,
  onOther,
}: {
  readonly person: { readonly id: string; readonly name: string };
  readonly onOther: (() => void) | null;
}) {
  const text = useText();
  const signIn = usePeople((state) => state.signIn);
  const { secret, setSecret, fault, isAsking, submit } = useSecret((typed) => signIn(person.id, typed));
  return (
    <Form className="sign-in-secret stack" onSubmit={submit}>
      <p className="sign-in-name">{person.name}</p>
      <TextField
        label={text("people.secretOf")}
        type="password"
        autoComplete="current-password"
        autoFocus
        value={secret}
        maxLength={200}
        fault={fault}
        onChange={(event) => setSecret(event.target.value)}
      />
      <div className="row spread">
        {onOther ? (
          <Button tone="plain" onClick={onOther}>
            {text("people.others")}
          </Button>
        ) : (
          <span />
        )}
        <Button type="submit" tone="primary" disabled={secret === "" || isAsking}>
          {text("people.signIn")}
        </Button>
      </div>
    </Form>
  );
}
