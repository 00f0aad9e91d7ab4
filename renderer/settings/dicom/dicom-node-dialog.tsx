import { useState, type FormEvent } from "react";
import type { DicomNode } from "../../../core/contract/desktop/network/dicom.ts";
import { call } from "../../state/connection.ts";
import { attempt } from "../../state/faults.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Choice, TextField } from "../../ui/fields/field.tsx";
import { useText } from "../../ui/language/language.ts";
import { DimseFields, isDimseDraft, WebFields, isWebDraft } from "./dicom-node-fields.tsx";
import { draftOf, requestOf, type NodeDraft } from "./dicom-node-draft.ts";

const formId = "dicom-node";

export function DicomNodeDialog({
  node,
  onClose,
  onSaved,
}: {
  readonly node: DicomNode | null;
  readonly onClose: () => void;
  readonly onSaved: () => void;
}) {
  const text = useText();
  const [draft, setDraft] = useState(() => draftOf(node));
  const [isAsked, setAsked] = useState(false);
  const set = (change: Partial<NodeDraft>) => setDraft({ ...draft, ...change });
  const hasKept = node?.kind === "web" && node.hasSecret && node.signIn === draft.signIn;
  const isNamed = draft.name.trim() !== "";
  const isValid = isNamed && (draft.kind === "web" ? isWebDraft(draft, hasKept) : isDimseDraft(draft));
  const save = (event: FormEvent) => {
    event.preventDefault();
    setAsked(true);
    if (isValid)
      attempt(async () => {
        await call("dicom.saveNode", requestOf(draft, node?.id ?? null));
        onSaved();
      });
  };
  const foot = (
    <>
      <Button tone="plain" onClick={onClose}>
        {text("common.cancel")}
      </Button>
      <Button tone="primary" type="submit" form={formId}>
        {text("common.save")}
      </Button>
    </>
  );
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={node ? text("dicom.editNodeTitle", { name: node.name }) : text("dicom.newNode")}
      foot={foot}
    >
      <form id={formId} className="stack" onSubmit={save} noValidate>
        <TextField
          label={text("common.name")}
          note={text("dicom.nodeNameNote")}
          fault={isAsked && !isNamed ? text("dicom.nameFault") : null}
          value={draft.name}
          maxLength={60}
          onChange={(event) => set({ name: event.target.value })}
        />
        <Choice
          label={text("common.kind")}
          value={draft.kind}
          onChoose={(kind) => set({ kind })}
          options={(["dimse", "web"] as const).map((value) => ({ value, label: text(`dicom.kind_${value}`) }))}
        />
        {draft.kind === "web" ? (
          <WebFields draft={draft} set={set} isAsked={isAsked} hasKept={hasKept} />
        ) : (
          <DimseFields draft={draft} set={set} isAsked={isAsked} />
        )}
      </form>
    </Dialog>
  );
}
