import type { ReactNode } from "react";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialogs/dialog.tsx";
import { Form } from "../../ui/fields/form.tsx";
import { useText } from "../../ui/language/language.ts";
import { UnvalidatedNote } from "../../state/upkeep/unvalidated-note.tsx";

const formId = "aid";

/** Dialog of an aid for the findings; without `onInsert` it is informational. */
export function AidDialog({
  title,
  about,
  isComplete = true,
  onInsert,
  onClose,
  children,
}: {
  readonly title: string;
  readonly about: string;
  readonly isComplete?: boolean;
  readonly onInsert?: () => void;
  readonly onClose: () => void;
  readonly children: ReactNode;
}) {
  const text = useText();
  const submit = () => {
    onInsert?.();
    onClose();
  };
  return (
    <Dialog
      isOpen
      isWide
      title={title}
      description={about}
      onClose={onClose}
      foot={
        <>
          {onInsert && (
            <Button tone="plain" onClick={onClose}>
              {text("common.cancel")}
            </Button>
          )}
          <Button tone="primary" type="submit" form={formId} disabled={!isComplete}>
            {text(onInsert ? "findings.b2_insert" : "common.close")}
          </Button>
        </>
      }
    >
      <Form id={formId} className="stack" onSubmit={submit}>
        {children}
        <UnvalidatedNote />
      </Form>
    </Dialog>
  );
}
