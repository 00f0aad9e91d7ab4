import { useState } from "react";
import { useFormat } from "../language/format.ts";
import { useText } from "../language/language.ts";
import { TextField } from "./field.tsx";

/**
 * The browser's date field, whose notation follows the system rather than the language of the interface. Where they
 * differ, the date is spelled out below, as 05/03 and 03/05 are both valid. The browser passes no value for a date that
 * is incomplete or does not exist (31 June); the field then shows an error, and its form's `checkValidity` is false.
 *
 * @param value  YYYY-MM-DD; empty for none
 */
export function DateField({
  label,
  value,
  fault,
  onChange,
}: {
  readonly label: string;
  readonly value: string;
  readonly fault: string | null;
  readonly onChange: (value: string) => void;
}) {
  const text = useText();
  const { day, longDay } = useFormat();
  const [isNoDate, setNoDate] = useState(false);
  const date = new Date(value);
  const isForeign = !Number.isNaN(date.getTime()) && systemNotation.format(date) !== day(value);
  return (
    <TextField
      label={label}
      type="date"
      max="9999-12-31"
      value={value}
      note={isForeign ? longDay(value) : undefined}
      fault={isNoDate ? text("common.dateFault") : fault}
      onChange={(event) => {
        setNoDate(false);
        onChange(event.target.value);
      }}
      onBlur={(event) => setNoDate(event.target.validity.badInput)}
      onInvalid={() => setNoDate(true)}
    />
  );
}

const systemNotation = new Intl.DateTimeFormat(undefined, { year: "numeric", month: "2-digit", day: "2-digit" });
