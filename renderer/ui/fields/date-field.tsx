import { useFormat } from "../language/format.ts";
import { TextField } from "./field.tsx";

/**
 * The browser's date field, whose notation follows the system rather than the language of the interface. Where they
 * differ, the date is spelled out below, as 05/03 and 03/05 are both valid.
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
  const { day, longDay } = useFormat();
  const date = new Date(value);
  const isForeign = !Number.isNaN(date.getTime()) && systemNotation.format(date) !== day(value);
  return (
    <TextField
      label={label}
      type="date"
      max="9999-12-31"
      value={value}
      note={isForeign ? longDay(value) : undefined}
      fault={fault}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}

const systemNotation = new Intl.DateTimeFormat(undefined, { year: "numeric", month: "2-digit", day: "2-digit" });
