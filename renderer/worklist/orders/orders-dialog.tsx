import { useState, type ReactNode } from "react";
import type { DicomNode } from "../../../core/contract/desktop/network/dicom.ts";
import type { DesktopResponse } from "../../../core/contract/desktop.ts";
import { call } from "../../state/connection.ts";
import { useChannel } from "../../state/queries.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Empty, Loading, Notice, Stale } from "../../ui/empty.tsx";
import { TextField } from "../../ui/fields/field.tsx";
import { useText } from "../../ui/language/language.ts";
import { UnderWay } from "../../ui/under-way.tsx";
import { filledIn, NodeSelect, NoNode, NotAnswered, useNodeSearch } from "../pacs/node-search.tsx";
import { FoundOrders } from "./found-orders.tsx";

type Fields = Record<"name" | "patientId" | "from" | "to" | "station", string>;
type Props = { readonly onClose: () => void };

export function OrdersDialog({ onClose }: Props) {
  const text = useText();
  const { value, fault, staleFault, reload } = useChannel("dicom.nodes", {});
  const nodes = value?.nodes.filter((node) => node.kind === "dimse" && node.offersWorklist) ?? [];
  if (nodes.length > 0)
    return <Search nodes={nodes} stale={<Stale fault={staleFault} onRetry={reload} />} onClose={onClose} />;
  const why = fault ?? staleFault;
  if (why !== null) return <NotAnswered title={text("orders.title")} fault={why} onRetry={reload} onClose={onClose} />;
  if (!value) return <Loading label={text("common.loading")} />;
  return (
    <NoNode
      title={text("orders.title")}
      heading={text("orders.noNodes")}
      words={text("orders.noNodesText")}
      onClose={onClose}
    />
  );
}

const ofToday = (): Fields => {
  const today = new Date().toLocaleDateString("sv-SE");
  return { name: "", patientId: "", from: today, to: today, station: "" };
};

function Search({
  nodes,
  stale,
  onClose,
}: Props & { readonly nodes: readonly DicomNode[]; readonly stale: ReactNode }) {
  const text = useText();
  const [nodeId, setNodeId] = useState(nodes[0]?.id ?? "");
  const [fields, setFields] = useState<Fields>(ofToday);
  const { isAsking, found, search, cancel, faultOfDays } = useNodeSearch(fields, (jobId) =>
    call("orders.find", { jobId, nodeId, query: filledIn(fields) }),
  );
  const field = (name: keyof Fields, label: string, type = "text", fault: string | null = null) => (
    <TextField
      label={label}
      type={type}
      fault={fault}
      value={fields[name]}
      maxLength={name === "station" ? 16 : 64}
      onChange={(event) => setFields({ ...fields, [name]: event.target.value })}
    />
  );
  const close = () => {
    cancel();
    onClose();
  };
  return (
    <Dialog isOpen isWide onClose={close} title={text("orders.title")} description={text("orders.text")}>
      {stale}
      <form className="pacs-fields" onSubmit={search} noValidate>
        <NodeSelect id="orders-node" label={text("orders.node")} nodes={nodes} value={nodeId} onChange={setNodeId} />
        {field("name", text("pacs.name"))}
        {field("patientId", text("pacs.patientId"))}
        {field("from", text("pacs.from"), "date")}
        {field("to", text("pacs.to"), "date", faultOfDays)}
        {field("station", text("orders.station"))}
        <Button tone="primary" type="submit" isBusy={isAsking}>
          {text("common.search")}
        </Button>
      </form>
      {isAsking && <UnderWay words={text("pacs.searching")} stop={text("common.cancel")} onStop={cancel} />}
      {found && <Answer found={found} onTaken={close} />}
    </Dialog>
  );
}

function Answer({
  found: { orders, failure, isCutOff },
  onTaken,
}: {
  readonly found: DesktopResponse<"orders.find">;
  readonly onTaken: () => void;
}) {
  const text = useText();
  return (
    <>
      {failure && <Notice tone="fault">{text(`dicom.failure_${failure.reason}`, { detail: failure.detail })}</Notice>}
      {isCutOff && <Notice>{text("orders.cutOff", { count: orders.length })}</Notice>}
      {!failure && orders.length === 0 && <Empty icon="search" title={text("orders.nothing")} />}
      {orders.length > 0 && <FoundOrders orders={orders} onTaken={onTaken} />}
    </>
  );
}
