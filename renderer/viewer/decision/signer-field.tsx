import type { Ref } from "react";
import { TextField } from "../../ui/fields/field.tsx";
import { useText } from "../../ui/language/language.ts";
import { useSignedInName, useSigner, useSigning } from "../correction/signing.ts";
import type { SignedWrites } from "./use-signed-writes.ts";

type SignerFieldProps = {
  readonly filmId: string;
  readonly nameField: Ref<HTMLInputElement>;
  readonly signed: SignedWrites["signed"];
};

/** The name of the user who signs, to be typed where users do not sign in. */
export function SignerField({ filmId, nameField, signed }: SignerFieldProps) {
  const text = useText();
  const signedIn = useSignedInName();
  const who = useSigner();
  const { unsigned, typeName } = useSigning();
  if (signedIn !== null) return <p className="quiet">{text("people.signsAs", { name: signedIn })}</p>;
  const saveUnsigned = () => {
    if (unsigned?.filmId === filmId) signed(unsigned.write);
  };
  return (
    <TextField
      ref={nameField}
      label={text("result.signedBy")}
      value={who}
      maxLength={100}
      fault={unsigned && who.trim() === "" ? text("result.whoMissing") : null}
      onChange={(event) => typeName(event.target.value)}
      onKeyDown={(event) => event.key === "Enter" && saveUnsigned()}
    />
  );
}
