import {
  useId,
  type ComponentProps,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
} from "react";
import { Slider as RadixSlider, Switch as RadixSwitch } from "radix-ui";
import { Icon } from "../icon.tsx";

type Note = { readonly label: string; readonly note?: ReactNode; readonly fault?: string | null | undefined };

/** A label, its control, and a note or a fault below. `children` receives the ids that link them. */
function Labelled({
  label,
  note,
  fault,
  children,
}: Note & { readonly children: (ids: { id: string; "aria-describedby": string | undefined }) => ReactNode }) {
  const id = useId();
  const isNoted = Boolean(fault ?? note);
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children({ id, "aria-describedby": isNoted ? `${id}-note` : undefined })}
      {isNoted && (
        <span
          id={`${id}-note`}
          className={`field-note ${fault ? "fault-text" : ""}`}
          role={fault ? "alert" : undefined}
        >
          {fault ?? note}
        </span>
      )}
    </div>
  );
}

/**
 * A field for one line of text. A control character, such as the tab between copied table cells, becomes a space, since
 * the program refuses names that contain one; a password stays as typed.
 */
export function TextField({ label, note, fault, onChange, ...input }: Note & ComponentProps<"input">) {
  return (
    <Labelled label={label} note={note} fault={fault}>
      {(ids) => (
        <input
          className="input"
          autoComplete="off"
          spellCheck={false}
          aria-invalid={fault ? true : undefined}
          {...ids}
          {...input}
          onChange={(event) => {
            const field = event.currentTarget;
            const line = field.value.replace(/\p{Cc}+/gu, " ");
            // Assigning the same text would move the cursor in some browsers.
            if (field.type !== "password" && line !== field.value) field.value = line;
            onChange?.(event);
          }}
        />
      )}
    </Labelled>
  );
}

export function TextArea({ label, note, fault, ...input }: Note & TextareaHTMLAttributes<HTMLTextAreaElement>) {
  return (
    <Labelled label={label} note={note} fault={fault}>
      {(ids) => <textarea className="input" aria-invalid={fault ? true : undefined} {...ids} {...input} />}
    </Labelled>
  );
}

export function Select(select: SelectHTMLAttributes<HTMLSelectElement>) {
  return (
    <span className="select">
      <select className="input" {...select} />
      <Icon name="down" />
    </span>
  );
}

export function Choice<T extends string>({
  label,
  note,
  fault,
  options,
  value,
  onChoose,
  ...input
}: Note & {
  readonly options: readonly { readonly value: T; readonly label: string }[];
  readonly value: T;
  readonly onChoose: (value: T) => void;
} & Omit<SelectHTMLAttributes<HTMLSelectElement>, "value" | "onChange">) {
  return (
    <Labelled label={label} note={note} fault={fault}>
      {(ids) => (
        <Select value={value} onChange={(event) => onChoose(event.target.value as T)} {...ids} {...input}>
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </Select>
      )}
    </Labelled>
  );
}

export function Switch({
  label,
  isOn,
  onChange,
}: {
  readonly label: string;
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
}) {
  const id = useId();
  return (
    <div className="switch-row">
      <label htmlFor={id}>{label}</label>
      <RadixSwitch.Root id={id} className="switch" checked={isOn} onCheckedChange={onChange}>
        <RadixSwitch.Thumb className="switch-thumb" />
      </RadixSwitch.Root>
    </div>
  );
}

export function Slider({
  label,
  value,
  min,
  max,
  step,
  onChange,
}: {
  readonly label: string;
  readonly value: number;
  readonly min: number;
  readonly max: number;
  readonly step: number;
  readonly onChange: (value: number) => void;
}) {
  return (
    <RadixSlider.Root
      className="slider"
      value={[value]}
      min={min}
      max={max}
      step={step}
      onValueChange={([next]) => next !== undefined && onChange(next)}
    >
      <RadixSlider.Track className="slider-track">
        <RadixSlider.Range className="slider-range" />
      </RadixSlider.Track>
      <RadixSlider.Thumb className="slider-thumb" aria-label={label} />
    </RadixSlider.Root>
  );
}
