import { useState, type FormEvent } from "react";
import type { DicomNode } from "../../../core/contract/desktop/network/dicom.ts";
import { call } from "../../state/connection.ts";
import { attempt } from "../../state/faults.ts";
import { ToSettings } from "../../state/places/to-settings.tsx";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Empty, Notice } from "../../ui/empty.tsx";
import { Select } from "../../ui/fields/field.tsx";
import { useText } from "../../ui/language/language.ts";

/** Queries a node by a form's fields: one request at a time, which can be cancelled. */
export function useNodeSearch<Found>(
  days: { readonly from: string; readonly to: string },
  ask: (jobId: string) => Promise<Found>,
) {
  const text = useText();
  const [wasRefused, setRefused] = useState(false);
  const isReversed = days.from !== "" && days.to !== "" && days.to < days.from;
  const [jobId, setJobId] = useState<string | null>(null);
  const [found, setFound] = useState<Found | null>(null);
  const search = (event: FormEvent) => {
    event.preventDefault();
    setRefused(isReversed);
    if (isReversed) return;
    attempt(async () => {
      const job = crypto.randomUUID();
      setJobId(job);
      setFound(null);
      try {
        setFound(await ask(job));
      } finally {
        setJobId(null);
      }
    });
  };
  const cancel = () => {
    if (jobId !== null) attempt(() => call("pacs.cancel", { jobId }));
  };
  const faultOfDays = wasRefused && isReversed ? text("pacs.reversed") : null;
  return { isAsking: jobId !== null, found, search, cancel, faultOfDays };
}

export function NodeSelect(props: {
  readonly id: string;
  readonly label: string;
  readonly nodes: readonly DicomNode[];
  readonly value: string;
  readonly onChange: (nodeId: string) => void;
}) {
  const { id, label, nodes, value, onChange } = props;
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <Select id={id} value={value} onChange={(event) => onChange(event.target.value)}>
        {nodes.map((node) => (
          <option key={node.id} value={node.id}>
            {node.name}
          </option>
        ))}
      </Select>
    </div>
  );
}

export function NoNode(props: {
  readonly title: string;
  readonly heading: string;
  readonly words: string;
  readonly onClose: () => void;
}) {
  const { title, heading, words, onClose } = props;
  return (
    <Dialog isOpen onClose={onClose} title={title}>
      <Empty icon="link" title={heading}>
        <p>{words}</p>
        <ToSettings tab="dicom" tone="primary" onLeave={onClose} />
      </Empty>
    </Dialog>
  );
}

export function NotAnswered(props: {
  readonly title: string;
  readonly fault: string;
  readonly onRetry: () => void;
  readonly onClose: () => void;
}) {
  const { title, fault, onRetry, onClose } = props;
  const text = useText();
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={title}
      foot={
        <>
          <Button onClick={onClose}>{text("common.close")}</Button>
          <Button icon="retry" onClick={onRetry}>
            {text("common.retry")}
          </Button>
        </>
      }
    >
      <Notice tone="fault">{fault}</Notice>
    </Dialog>
  );
}

/** Query of the form: empty fields match everything. */
export function filledIn<Name extends string>(fields: Readonly<Record<Name, string>>): Partial<Record<Name, string>> {
  const filled = Object.entries<string>(fields).filter(([, value]) => value.trim() !== "");
  return Object.fromEntries(filled) as Partial<Record<Name, string>>;
}
