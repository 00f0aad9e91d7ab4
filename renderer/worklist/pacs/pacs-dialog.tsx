import { useState, type ReactNode } from "react";
import type { DicomNode } from "../../../core/contract/desktop/network/dicom.ts";
import { call } from "../../state/connection.ts";
import { useChannel } from "../../state/queries.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Empty, Loading, Notice, Stale } from "../../ui/empty.tsx";
import { TextField } from "../../ui/fields/field.tsx";
import { useText } from "../../ui/language/language.ts";
import { UnderWay } from "../../ui/under-way.tsx";
import { FoundStudies } from "./found-studies.tsx";
import { filledIn, NodeSelect, NoNode, NotAnswered, useNodeSearch } from "./node-search.tsx";

type Fields = Record<"name" | "patientId" | "from" | "to", string>;
type Props = { readonly onClose: () => void };

export function PacsDialog({ onClose }: Props) {
  const text = useText();
  const { value, fault, staleFault, reload } = useChannel("dicom.nodes", {});
  const nodes = value?.nodes ?? [];
  if (nodes.length > 0)
    return <Search nodes={nodes} stale={<Stale fault={staleFault} onRetry={reload} />} onClose={onClose} />;
  const why = fault ?? staleFault;
  if (why !== null) return <NotAnswered title={text("pacs.title")} fault={why} onRetry={reload} onClose={onClose} />;
  if (!value) return <Loading label={text("common.loading")} />;
  return (
    <NoNode
      title={text("pacs.title")}
      heading={text("pacs.noNodes")}
      words={text("pacs.noNodesText")}
      onClose={onClose}
    />
  );
}

function Search({
  nodes,
  stale,
  onClose,
}: Props & { readonly nodes: readonly DicomNode[]; readonly stale: ReactNode }) {
  const text = useText();
  const [nodeId, setNodeId] = useState(nodes[0]?.id ?? "");
  const [fields, setFields] = useState<Fields>({ name: "", patientId: "", from: "", to: "" });
  // The user may select another node during the search.
  const { isAsking, found, search, cancel, faultOfDays } = useNodeSearch(fields, async (jobId) => ({
    ...(await call("pacs.find", { jobId, nodeId, query: filledIn(fields) })),
    nodeId,
  }));
  const field = (name: keyof Fields, type = "text", fault: string | null = null) => (
    <TextField
      label={text(`pacs.${name}`)}
      type={type}
      fault={fault}
      value={fields[name]}
      maxLength={64}
      onChange={(event) => setFields({ ...fields, [name]: event.target.value })}
    />
  );
  const close = () => {
    cancel();
    onClose();
  };
  return (
    <Dialog isOpen isWide onClose={close} title={text("pacs.title")} description={text("pacs.text")}>
      {stale}
      <form className="pacs-fields" onSubmit={search} noValidate>
        <NodeSelect id="pacs-node" label={text("pacs.node")} nodes={nodes} value={nodeId} onChange={setNodeId} />
        {field("name")}
        {field("patientId")}
        {field("from", "date")}
        {field("to", "date", faultOfDays)}
        <Button tone="primary" type="submit" isBusy={isAsking}>
          {text("common.search")}
        </Button>
      </form>
      {isAsking && <UnderWay words={text("pacs.searching")} stop={text("common.cancel")} onStop={cancel} />}
      {found?.failure && (
        <Notice tone="fault">{text(`dicom.failure_${found.failure.reason}`, { detail: found.failure.detail })}</Notice>
      )}
      {found?.isCutOff && <Notice>{text("pacs.cutOff", { count: found.studies.length })}</Notice>}
      {found && !found.failure && found.studies.length === 0 && (
        <Empty icon="search" title={text("common.nothingFound")} />
      )}
      {found && found.studies.length > 0 && <FoundStudies nodeId={found.nodeId} studies={found.studies} />}
    </Dialog>
  );
}
