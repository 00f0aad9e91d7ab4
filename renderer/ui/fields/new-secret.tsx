import { useState } from "react";
import { useText } from "../language/language.ts";
import { TextField } from "./field.tsx";

/**
 * A new PIN, password or passphrase, entered twice, since a typing error in hidden input would lock the user out.
 *
 * @param shortest  minimum length, by default that of a PIN [characters]
 */
export function useNewSecret(shortest = 4) {
  const [secret, setSecret] = useState("");
  const [repeated, setRepeated] = useState("");
  const isSame = secret === repeated;
  const clear = () => {
    setSecret("");
    setRepeated("");
  };
  return { secret, setSecret, repeated, setRepeated, isSame, isGood: secret.length >= shortest && isSame, clear };
}

export function NewSecret({
  label,
  note,
  typed,
}: {
  readonly label: string;
  /** By default that of a PIN. */
  readonly note?: string;
  readonly typed: ReturnType<typeof useNewSecret>;
}) {
  const text = useText();
  const { secret, setSecret, repeated, setRepeated, isSame } = typed;
  const field = { type: "password", autoComplete: "new-password", maxLength: 200 } as const;
  return (
    <>
      <TextField
        label={label}
        note={note ?? text("people.secretNote")}
        value={secret}
        onChange={(event) => setSecret(event.target.value)}
        {...field}
      />
      <TextField
        label={text("people.repeat")}
        value={repeated}
        fault={repeated !== "" && !isSame ? text("people.notTheSame") : null}
        onChange={(event) => setRepeated(event.target.value)}
        {...field}
      />
    </>
  );
}
