import { useState, type FormEvent } from "react";
import type { DicomNode } from "../../core/contract/desktop/dicom.ts";
import type { DesktopResponse } from "../../core/contract/desktop.ts";
import type { StudyQuery } from "../../core/contract/desktop/pacs.ts";
import { call } from "../state/connection.ts";
import { attempt } from "../state/faults.ts";
import { useNavigation } from "../state/navigation.ts";
import { useSettingsTab } from "../state/settings-tab.ts";
import { useAsked } from "../state/use-asked.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Empty, Loading, Notice } from "../ui/empty.tsx";
import { Select, TextField } from "../ui/field.tsx";
import { useText } from "../ui/language/language.ts";
import { UnderWay } from "../ui/under-way.tsx";
import { FoundStudies } from "./found-studies.tsx";

/** What the node that was asked has said; another may be chosen meanwhile. */
type Found = DesktopResponse<"pacs.find"> & { readonly nodeId: string };
type Fields = Record<"name" | "patientId" | "from" | "to", string>;

const formId = "pacs-search";

/** Search of a PACS by patient, owner, id and day, and fetching of what was found. */
export function PacsDialog({ onClose }: { readonly onClose: () => void }) {
  const text = useText();
  const { value } = useAsked("dicom.nodes", {});
  const openSettings = () => {
    onClose();
    useSettingsTab.getState().setTab("dicom");
    useNavigation.getState().go("settings");
  };
  if (!value) return <Loading label={text("common.loading")} />;
  return value.nodes.length === 0 ? (
    <Dialog isOpen onClose={onClose} title={text("pacs.title")}>
      <Empty icon="link" title={text("pacs.noNodes")}>
        <p>{text("pacs.noNodesText")}</p>
        <Button tone="primary" onClick={openSettings}>
          {text("dicom.addNode")}
        </Button>
      </Empty>
    </Dialog>
  ) : (
    <Search nodes={value.nodes} onClose={onClose} />
  );
}

function Search({ nodes, onClose }: { readonly nodes: readonly DicomNode[]; readonly onClose: () => void }) {
  const text = useText();
  const [nodeId, setNodeId] = useState(nodes[0]?.id ?? "");
  const [fields, setFields] = useState<Fields>({ name: "", patientId: "", from: "", to: "" });
  const [jobId, setJobId] = useState<string | null>(null);
  const [found, setFound] = useState<Found | null>(null);
  const field = (name: keyof Fields, type = "text") => (
    <TextField
      label={text(`pacs.${name}`)}
      type={type}
      value={fields[name]}
      maxLength={64}
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
        setFound({ ...(await call("pacs.find", { jobId: job, nodeId, query: queryOf(fields) })), nodeId });
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
    <Dialog isOpen isWide onClose={close} title={text("pacs.title")} description={text("pacs.text")}>
      <form id={formId} className="pacs-fields" onSubmit={search} noValidate>
        <div className="field">
          <label htmlFor="pacs-node">{text("pacs.node")}</label>
          <Select id="pacs-node" value={nodeId} onChange={(event) => setNodeId(event.target.value)}>
            {nodes.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </Select>
        </div>
        {field("name")}
        {field("patientId")}
        {field("from", "date")}
        {field("to", "date")}
        <Button tone="primary" type="submit" disabled={jobId !== null}>
          {text("pacs.search")}
        </Button>
      </form>
      {jobId !== null && <UnderWay words={text("pacs.searching")} stop={text("common.cancel")} onStop={cancel} />}
      {found?.failure && (
        <Notice tone="fault">{text(`dicom.failure_${found.failure.reason}`, { detail: found.failure.detail })}</Notice>
      )}
      {found?.isCutOff && <Notice>{text("pacs.cutOff", { count: found.studies.length })}</Notice>}
      {found && !found.failure && found.studies.length === 0 && <Empty icon="search" title={text("pacs.nothing")} />}
      {found && found.studies.length > 0 && <FoundStudies nodeId={found.nodeId} studies={found.studies} />}
    </Dialog>
  );
}

/** Fields that are empty match everything. */
function queryOf(fields: Fields): StudyQuery {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value.trim() !== ""));
}
