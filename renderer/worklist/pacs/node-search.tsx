import { useState, type ReactNode } from "react";
import type { DicomNode, SendFailure } from "../../../core/contract/desktop/network/dicom.ts";
import { ToSettings } from "../../state/places/to-settings.tsx";
import { useChannel } from "../../state/queries.ts";
import { useJob } from "../../state/transfers/use-job.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialogs/dialog.tsx";
import { Empty, Loading, Notice, Stale } from "../../ui/empty.tsx";
import { DateField } from "../../ui/fields/date-field.tsx";
import { Choice, TextField } from "../../ui/fields/field.tsx";
import { Form } from "../../ui/fields/form.tsx";
import { useText } from "../../ui/language/language.ts";
import { UnderWay } from "../../ui/under-way.tsx";

type Name = "name" | "patientId" | "from" | "to" | "station";
type Fields<Asked extends Name> = Readonly<Record<Asked | "from" | "to", string>>;
type Outcome = { readonly failure: SendFailure | null };

type NodeSearchProps<Asked extends Name, Found extends Outcome> = {
  readonly title: string;
  readonly about: string;
  readonly nodeLabel: string;
  readonly noNodes: readonly [heading: string, words: string];
  readonly isMeant?: (node: DicomNode) => boolean;
  readonly initial: () => Fields<Asked>;
  /** Empty fields are omitted from `query` and match everything. */
  readonly ask: (jobId: string, nodeId: string, query: Partial<Fields<Asked>>) => Promise<Found>;
  readonly onClose: () => void;
  readonly children: (found: Found, nodeId: string, close: () => void) => ReactNode;
};

/** A dialog that searches a node by a form's fields: one request at a time, which can be cancelled. */
export function NodeSearch<Asked extends Name, Found extends Outcome>(props: NodeSearchProps<Asked, Found>) {
  const { title, noNodes, isMeant = () => true, onClose } = props;
  const text = useText();
  const { value, fault, staleFault, reload } = useChannel("dicom.nodes", {});
  const nodes = value?.nodes.filter(isMeant) ?? [];
  if (nodes.length > 0)
    return <Search {...props} nodes={nodes} stale={<Stale fault={staleFault} onRetry={reload} />} />;
  const why = fault ?? staleFault;
  if (why !== null) return <NotAnswered title={title} fault={why} onRetry={reload} onClose={onClose} />;
  if (!value) return <Loading label={text("common.loading")} />;
  return (
    <Dialog isOpen onClose={onClose} title={title}>
      <Empty icon="link" title={noNodes[0]}>
        <p>{noNodes[1]}</p>
        <ToSettings tab="dicom" tone="primary" onLeave={onClose} />
      </Empty>
    </Dialog>
  );
}

function Search<Asked extends Name, Found extends Outcome>({
  title,
  about,
  nodeLabel,
  nodes,
  stale,
  initial,
  ask,
  onClose,
  children,
}: NodeSearchProps<Asked, Found> & { readonly nodes: readonly DicomNode[]; readonly stale: ReactNode }) {
  const text = useText();
  const [nodeId, setNodeId] = useState(nodes[0]?.id ?? "");
  const [fields, setFields] = useState(initial);
  const { isAsking, found, search, cancel, faultOfDays } = useSearch(fields, async (jobId) => ({
    // The user may select another node during the search.
    nodeId,
    outcome: await ask(jobId, nodeId, filledIn(fields)),
  }));
  const failure = found?.outcome.failure;
  const close = () => {
    cancel();
    onClose();
  };
  return (
    <Dialog isOpen isWide onClose={close} title={title} description={about}>
      {stale}
      <Form className="pacs-fields" onSubmit={(form) => form.checkValidity() && search()}>
        <Choice
          label={nodeLabel}
          value={nodeId}
          onChoose={setNodeId}
          options={nodes.map(({ id, name }) => ({ value: id, label: name }))}
        />
        {(Object.keys(fields) as Name[]).map((name) => {
          const value = (fields as Partial<Record<Name, string>>)[name] ?? "";
          const change = (typed: string) => setFields({ ...fields, [name]: typed });
          if (name === "from" || name === "to")
            return (
              <DateField
                key={name}
                label={text(`common.${name}Date`)}
                value={value}
                fault={name === "to" ? faultOfDays : null}
                onChange={change}
              />
            );
          return (
            <TextField
              key={name}
              label={text(name === "station" ? "orders.station" : `pacs.${name}`)}
              value={value}
              maxLength={name === "station" ? 16 : 64}
              onChange={(event) => change(event.target.value)}
            />
          );
        })}
        <Button tone="primary" type="submit" isBusy={isAsking}>
          {text("common.search")}
        </Button>
      </Form>
      {isAsking && <UnderWay words={text("pacs.searching")} onStop={cancel} />}
      {failure && <Notice tone="fault">{text(`dicom.failure_${failure.reason}`, { detail: failure.detail })}</Notice>}
      {found && children(found.outcome, found.nodeId, close)}
    </Dialog>
  );
}

function useSearch<Found>(
  days: { readonly from: string; readonly to: string },
  ask: (jobId: string) => Promise<Found>,
) {
  const text = useText();
  const [wasRefused, setRefused] = useState(false);
  const isReversed = days.from !== "" && days.to !== "" && days.to < days.from;
  const { jobId, run, cancel } = useJob();
  const [found, setFound] = useState<Found | null>(null);
  const search = () => {
    setRefused(isReversed);
    if (isReversed) return;
    setFound(null);
    run(async (job) => setFound(await ask(job)));
  };
  const faultOfDays = wasRefused && isReversed ? text("pacs.reversed") : null;
  return { isAsking: jobId !== null, found, search, cancel, faultOfDays };
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

function filledIn<Asked extends Name>(fields: Fields<Asked>): Partial<Fields<Asked>> {
  const filled = Object.entries<string>(fields).filter(([, value]) => value.trim() !== "");
  return Object.fromEntries(filled) as Partial<Fields<Asked>>;
}
