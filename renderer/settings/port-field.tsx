import { useState } from "react";
import { TextField } from "../ui/fields/field.tsx";
import { useText } from "../ui/language/language.ts";
import { isPort, portOf } from "./port.ts";

export function PortField({
  value,
  isAsked = true,
  onChange,
}: {
  readonly value: number;
  readonly isAsked?: boolean;
  readonly onChange: (port: number) => void;
}) {
  const text = useText();
  const [typed, setTyped] = useState("");
  return (
    <TextField
      label={text("common.port")}
      fault={isAsked && !isPort(value) ? text("common.portFault") : null}
      // Shows the typed text, unless the port has been changed elsewhere since.
      value={Object.is(portOf(typed), value) ? typed : String(value)}
      maxLength={20}
      inputMode="numeric"
      onChange={(event) => {
        setTyped(event.target.value);
        onChange(portOf(event.target.value));
      }}
    />
  );
}
