import { useState } from "react";
import type { DicomNode } from "../../../core/contract/desktop/network/dicom.ts";
import { call } from "../../state/connection.ts";
import { useOnce } from "../../state/use-once.ts";
import { Choice, TextField } from "../../ui/fields/field.tsx";
import { FormDialog } from "../../ui/dialogs/form-dialog.tsx";
import { useText } from "../../ui/language/language.ts";
import { DimseFields, isDimseDraft, WebFields, isWebDraft } from "./dicom-node-fields.tsx";
import { draftOf, requestOf, type NodeDraft } from "./dicom-node-draft.ts";

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
  const once = useOnce();
  const set = (change: Partial<NodeDraft>) => setDraft({ ...draft, ...change });
  const hasKept = node?.kind === "web" && node.hasSecret && node.signIn === draft.signIn;
  const isNamed = draft.name.trim() !== "";
  const isValid = isNamed && (draft.kind === "web" ? isWebDraft(draft, hasKept) : isDimseDraft(draft));
  const save = () => {
    setAsked(true);
    if (isValid)
      once(async () => {
        await call("dicom.saveNode", requestOf(draft, node?.id ?? null));
        onSaved();
      });
  };
  return (
    <FormDialog
      title={node ? text("dicom.editNodeTitle", { name: node.name }) : text("dicom.newNode")}
      submit={text("common.save")}
      onSubmit={save}
      onClose={onClose}
    >
      <TextField
        label={text("common.name")}
        note={text("dicom.nodeNameNote")}
        fault={isAsked && !isNamed ? text("common.nameFault") : null}
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
    </FormDialog>
  );
}
