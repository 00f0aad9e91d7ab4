import { useState } from "react";
import { useText } from "../language/language.ts";
import { TextField } from "./field.tsx";

const shortest = 4;

/** A new PIN or password, entered twice, since a typing error in hidden input would lock the user out. */
export function useNewSecret() {
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
  typed,
}: {
  readonly label: string;
  readonly typed: ReturnType<typeof useNewSecret>;
}) {
  const text = useText();
  const { secret, setSecret, repeated, setRepeated, isSame } = typed;
  const field = { type: "password", autoComplete: "new-password", maxLength: 200 } as const;
  return (
    <>
      <TextField
        label={label}
        note={text("people.secretNote")}
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
