import { useState, type FormEvent } from "react";
import type { DicomNode } from "../../../core/contract/desktop/dicom.ts";
import type { DesktopResponse } from "../../../core/contract/desktop.ts";
import type { OrderQuery } from "../../../core/contract/desktop/orders.ts";
import { call } from "../../state/connection.ts";
import { attempt } from "../../state/faults.ts";
import { useNavigation } from "../../state/navigation.ts";
import { useSettingsTab } from "../../state/settings-tab.ts";
import { useAsked } from "../../state/use-asked.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Empty, Loading, Notice } from "../../ui/empty.tsx";
import { Select, TextField } from "../../ui/field.tsx";
import { useText } from "../../ui/language/language.ts";
import { UnderWay } from "../../ui/under-way.tsx";
import { FoundOrders } from "./found-orders.tsx";

type Fields = Record<"name" | "patientId" | "from" | "to" | "station", string>;
type Props = { readonly onClose: () => void };

/** Examinations that practice software has ordered: search of its worklist, and taking one over. */
export function OrdersDialog({ onClose }: Props) {
  const text = useText();
  const { value } = useAsked("dicom.nodes", {});
  if (!value) return <Loading label={text("common.loading")} />;
  const nodes = value.nodes.filter((node) => node.kind === "dimse" && node.offersWorklist);
  return nodes.length === 0 ? <NoWorklist onClose={onClose} /> : <Search nodes={nodes} onClose={onClose} />;
}

function NoWorklist({ onClose }: Props) {
  const text = useText();
  const openSettings = () => {
    onClose();
    useSettingsTab.getState().setTab("dicom");
    useNavigation.getState().go("settings");
  };
  return (
    <Dialog isOpen onClose={onClose} title={text("orders.title")}>
      <Empty icon="link" title={text("orders.noNodes")}>
        <p>{text("orders.noNodesText")}</p>
        <Button tone="primary" onClick={openSettings}>
          {text("dicom.addNode")}
        </Button>
      </Empty>
    </Dialog>
  );
}

function Search({ nodes, onClose }: Props & { readonly nodes: readonly DicomNode[] }) {
  const text = useText();
  const [nodeId, setNodeId] = useState(nodes[0]?.id ?? "");
  const today = new Date().toLocaleDateString("sv-SE");
  const [fields, setFields] = useState<Fields>({ name: "", patientId: "", from: today, to: today, station: "" });
  const [jobId, setJobId] = useState<string | null>(null);
  const [found, setFound] = useState<DesktopResponse<"orders.find"> | null>(null);
  const field = (name: keyof Fields, label: string, type = "text") => (
    <TextField
      label={label}
      type={type}
      value={fields[name]}
      maxLength={name === "station" ? 16 : 64}
      onChange={(event) => setFields({ ...fields, [name]: event.target.value })}
    />
  );
  const cancel = () => {
    if (jobId !== null) attempt(() => call("pacs.cancel", { jobId }));
  };
  const search = (event: FormEvent) => {
    event.preventDefault();
    attempt(async () => {
      const job = crypto.randomUUID();
      setJobId(job);
      setFound(null);
      try {
        setFound(await call("orders.find", { jobId: job, nodeId, query: queryOf(fields) }));
      } finally {
        setJobId(null);
      }
    });
  };
  const close = () => {
    cancel();
    onClose();
  };
  return (
    <Dialog isOpen isWide onClose={close} title={text("orders.title")} description={text("orders.text")}>
      <form className="pacs-fields" onSubmit={search} noValidate>
        <div className="field">
          <label htmlFor="orders-node">{text("orders.node")}</label>
          <Select id="orders-node" value={nodeId} onChange={(event) => setNodeId(event.target.value)}>
            {nodes.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </Select>
        </div>
        {field("name", text("pacs.name"))}
        {field("patientId", text("pacs.patientId"))}
        {field("from", text("pacs.from"), "date")}
        {field("to", text("pacs.to"), "date")}
        {field("station", text("orders.station"))}
        <Button tone="primary" type="submit" disabled={jobId !== null}>
          {text("pacs.search")}
        </Button>
      </form>
      {jobId !== null && <UnderWay words={text("pacs.searching")} stop={text("common.cancel")} onStop={cancel} />}
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

/** Fields that are empty match everything. */
function queryOf(fields: Fields): OrderQuery {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value.trim() !== ""));
}
