import { useEffect, useId, useState, type ReactNode } from "react";
import { AlertDialog as Alert, Dialog as Modal } from "radix-ui";
import { IconButton, Button } from "../button.tsx";
import { blurField } from "../fields/blur-field.ts";
import { markTyped } from "../fields/typed-input.ts";
import { useFocusReturn } from "./focus-return.ts";
import { useText } from "../language/language.ts";
import { ToastSlot } from "../notes/toast-slot.tsx";
import { PortalContainer } from "./portal-container.ts";

type DialogProps = {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  /** Whether an element inside currently handles Escape, so that the dialog stays open. */
  readonly keepsEscape?: () => boolean;
  readonly title: string;
  /** One sentence below the title, which screen readers announce on opening. */
  readonly description?: string;
  readonly isWide?: boolean;
  readonly foot?: ReactNode;
  readonly children: ReactNode;
};

export function Dialog({ isOpen, onClose, keepsEscape, title, description, isWide, foot, children }: DialogProps) {
  const text = useText();
  const { remember, restoreFocus } = useFocusReturn();
  const [dialog, setDialog] = useState<HTMLElement | null>(null);
  const id = useId();
  useEffect(() => (isOpen ? () => markTyped(id, false) : undefined), [isOpen, id]);
  const close = () => {
    blurField();
    onClose();
  };
  return (
    <Modal.Root open={isOpen} onOpenChange={(open) => !open && close()}>
      <Modal.Portal>
        <Modal.Overlay className="scrim" />
        <Modal.Content
          ref={setDialog}
          className={`dialog ${isWide ? "wide" : ""}`}
          onInput={() => markTyped(id, true)}
          onOpenAutoFocus={(event) => {
            remember();
            beginInContent(event);
          }}
          onCloseAutoFocus={restoreFocus}
          onEscapeKeyDown={(event) => keepsEscape?.() && event.preventDefault()}
          {...(description ? {} : { "aria-describedby": undefined })}
        >
          <PortalContainer value={dialog}>
            <header className="dialog-head">
              <Modal.Title>{title}</Modal.Title>
            </header>
            <div className="dialog-body">
              {description && <Modal.Description className="quiet">{description}</Modal.Description>}
              {children}
            </div>
            {foot && <footer className="dialog-foot">{foot}</footer>}
            {/* Last in Tab order, so that the focus starts in the content. */}
            <ToastSlot isDialog />
            <Modal.Close asChild>
              <IconButton icon="close" className="dialog-close" label={text("common.close")} />
            </Modal.Close>
          </PortalContainer>
        </Modal.Content>
      </Modal.Portal>
    </Modal.Root>
  );
}

/** Focuses the dialog if the close button is its only control: its tooltip would cover the title and take Escape. */
function beginInContent(event: Event): void {
  const dialog = event.currentTarget as HTMLElement;
  const [first] = dialog.querySelectorAll("a[href], button:not(:disabled), input, select, textarea, [tabindex='0']");
  if (!first?.classList.contains("dialog-close")) return;
  event.preventDefault();
  dialog.focus();
}

type QuestionProps = {
  readonly isOpen: boolean;
  readonly title: string;
  readonly description: string;
  readonly confirm: string;
  readonly isDangerous?: boolean;
  readonly onConfirm: () => void;
  readonly onCancel: () => void;
  readonly other?: { readonly label: string; readonly onChoose: () => void };
};

export function Question({
  isOpen,
  title,
  description,
  confirm,
  isDangerous,
  onConfirm,
  onCancel,
  other,
}: QuestionProps) {
  const text = useText();
  const { remember, restoreFocus } = useFocusReturn();
  return (
    <Alert.Root open={isOpen} onOpenChange={(open) => !open && onCancel()}>
      <Alert.Portal>
        <Alert.Overlay className="scrim" />
        <Alert.Content
          className="dialog"
          onOpenAutoFocus={remember}
          onCloseAutoFocus={(event) => focusWhatIsMissing() || restoreFocus(event)}
        >
          <header className="dialog-head">
            <Alert.Title>{title}</Alert.Title>
          </header>
          <div className="dialog-body">
            <Alert.Description>{description}</Alert.Description>
          </div>
          <footer className="dialog-foot">
            <Alert.Cancel asChild>
              <Button tone="plain">{text("common.cancel")}</Button>
            </Alert.Cancel>
            {other && <Button onClick={other.onChoose}>{other.label}</Button>}
            <Alert.Action asChild>
              <Button tone={isDangerous ? "danger" : "primary"} onClick={onConfirm}>
                {confirm}
              </Button>
            </Alert.Action>
          </footer>
        </Alert.Content>
      </Alert.Portal>
    </Alert.Root>
  );
}

/** Focuses the first invalid field, if the chosen answer could not be carried out because of it. */
function focusWhatIsMissing(): boolean {
  const field = document.querySelector<HTMLElement>("main [aria-invalid=true]");
  field?.focus();
  return field !== null;
}
