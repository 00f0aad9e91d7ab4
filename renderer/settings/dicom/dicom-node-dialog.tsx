import { useState, type FormEvent } from "react";
import type { DicomNode } from "../../../core/contract/desktop/dicom.ts";
import { call } from "../../state/connection.ts";
import { attempt } from "../../state/faults.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/field.tsx";
import { useText } from "../../ui/language/language.ts";
import { isAeTitle, isHost, isPort } from "./dicom-fields.ts";

const formId = "dicom-node";

/** Adds or changes a node. */
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
  const [name, setName] = useState(node?.name ?? "");
  const [host, setHost] = useState(node?.host ?? "");
  const [port, setPort] = useState(String(node?.port ?? 104));
  const [aeTitle, setAeTitle] = useState(node?.aeTitle ?? "");
  const [isAsked, setAsked] = useState(false);
  const isValid = name.trim() !== "" && isHost(host) && isPort(port) && isAeTitle(aeTitle);
  const faultUnless = (isGood: boolean, fault: "nameFault" | "hostFault" | "titleFault" | "portFault") =>
    isAsked && !isGood ? text(`dicom.${fault}`) : null;
  const save = (event: FormEvent) => {
    event.preventDefault();
    setAsked(true);
    if (isValid)
      attempt(async () => {
        await call("dicom.saveNode", {
          nodeId: node?.id ?? null,
          name: name.trim(),
          host: host.trim(),
          port: Number(port),
          aeTitle: aeTitle.trim(),
        });
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
          label={text("dicom.nodeName")}
          note={text("dicom.nodeNameNote")}
          fault={faultUnless(name.trim() !== "", "nameFault")}
          value={name}
          maxLength={60}
          onChange={(event) => setName(event.target.value)}
        />
        <div className="dicom-pair">
          <TextField
            label={text("dicom.host")}
            fault={faultUnless(isHost(host), "hostFault")}
            value={host}
            maxLength={253}
            onChange={(event) => setHost(event.target.value)}
          />
          <TextField
            label={text("dicom.port")}
            fault={faultUnless(isPort(port), "portFault")}
            value={port}
            inputMode="numeric"
            onChange={(event) => setPort(event.target.value)}
          />
        </div>
        <TextField
          label={text("dicom.nodeTitle")}
          fault={faultUnless(isAeTitle(aeTitle), "titleFault")}
          value={aeTitle}
          maxLength={16}
          onChange={(event) => setAeTitle(event.target.value)}
        />
      </form>
    </Dialog>
  );
}
