import { useId, type ComponentProps } from "react";
import { Button } from "../button.tsx";
import { Dialog } from "./dialog.tsx";
import { Form } from "../fields/form.tsx";
import { useText } from "../language/language.ts";

type FormDialogProps = Omit<ComponentProps<typeof Dialog>, "isOpen" | "foot"> & {
  readonly submit: string;
  readonly canSubmit?: boolean;
  readonly isDangerous?: boolean;
  readonly isBusy?: boolean;
  readonly onSubmit: (form: HTMLFormElement) => void;
};

export function FormDialog({
  submit,
  canSubmit = true,
  isDangerous = false,
  isBusy = false,
  onSubmit,
  children,
  ...dialog
}: FormDialogProps) {
  const text = useText();
  const id = useId();
  const foot = (
    <>
      <Button tone="plain" onClick={dialog.onClose}>
        {text("common.cancel")}
      </Button>
      <Button tone={isDangerous ? "danger" : "primary"} type="submit" form={id} disabled={!canSubmit} isBusy={isBusy}>
        {submit}
      </Button>
    </>
  );
  return (
    <Dialog isOpen foot={foot} {...dialog}>
      <Form id={id} className="stack" onSubmit={onSubmit}>
        {children}
      </Form>
    </Dialog>
  );
}
