import { useState } from "react";
import { TextField } from "../ui/fields/field.tsx";
import { useText } from "../ui/language/language.ts";
import { isPort, portOf } from "./port.ts";

/** A port; NaN while what stands in the field names none. */
export function PortField({
  value,
  isAsked = true,
  onChange,
}: {
  readonly value: number;
  /** Whether what is missing is named. */
  readonly isAsked?: boolean;
  readonly onChange: (port: number) => void;
}) {
  const text = useText();
  const [typed, setTyped] = useState("");
  return (
    <TextField
      label={text("common.port")}
      fault={isAsked && !isPort(value) ? text("common.portFault") : null}
      // As it was typed, unless the port has come from elsewhere since.
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
