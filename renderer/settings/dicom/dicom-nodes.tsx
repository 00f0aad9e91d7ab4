import { useState } from "react";
import type { DicomNode, SendFailure } from "../../../core/contract/desktop/network/dicom.ts";
import { call } from "../../state/connection.ts";
import { attempt } from "../../state/faults.ts";
import { useChannel } from "../../state/queries.ts";
import { Button } from "../../ui/button.tsx";
import { Question } from "../../ui/dialogs/dialog.tsx";
import { Empty, Failed, Loading, Stale } from "../../ui/empty.tsx";
import { useText } from "../../ui/language/language.ts";
import { Table } from "../../ui/table.tsx";
import { DicomNodeDialog } from "./dicom-node-dialog.tsx";

export function DicomNodes() {
  const text = useText();
  const { value, fault, staleFault, reload } = useChannel("dicom.nodes", {});
  const [edited, setEdited] = useState<DicomNode | "new" | null>(null);
  const [deleted, setDeleted] = useState<DicomNode | null>(null);
  if (fault) return <Failed fault={fault} onRetry={reload} />;
  if (!value) return <Loading label={text("common.loading")} />;
  const remove = () =>
    attempt(async () => {
      if (deleted) await call("dicom.deleteNode", { nodeId: deleted.id });
      setDeleted(null);
      reload();
    });
  return (
    <section className="stack" aria-labelledby="dicom-nodes">
      <Stale fault={staleFault} onRetry={reload} />
      <div className="row spread">
        <div>
          <h2 id="dicom-nodes">{text("dicom.nodes")}</h2>
          <p className="quiet">{text("dicom.nodesText")}</p>
        </div>
        <Button icon="plus" onClick={() => setEdited("new")}>
          {text("dicom.addNode")}
        </Button>
      </div>
      {value.nodes.length === 0 ? (
        <Empty icon="link" title={text("dicom.noNodes")}>
          <p>{text("dicom.noNodesText")}</p>
        </Empty>
      ) : (
        <Table
          heads={[
            text("common.name"),
            text("common.address"),
            text("dicom.nodeTitle"),
            { hidden: text("dicom.actions") },
          ]}
        >
          {value.nodes.map((node) => (
            <Row
              key={JSON.stringify(node)}
              node={node}
              onEdit={() => setEdited(node)}
              onDelete={() => setDeleted(node)}
            />
          ))}
        </Table>
      )}
      {edited !== null && (
        <DicomNodeDialog
          node={edited === "new" ? null : edited}
          onClose={() => setEdited(null)}
          onSaved={() => {
            setEdited(null);
            reload();
          }}
        />
      )}
      <Question
        isOpen={deleted !== null}
        title={text("dicom.deleteNodeTitle", { name: deleted?.name ?? "" })}
        description={text("dicom.deleteNodeText")}
        confirm={text("common.delete")}
        isDangerous
        onCancel={() => setDeleted(null)}
        onConfirm={remove}
      />
    </section>
  );
}

type Tested = "running" | { readonly failure: SendFailure | null } | null;

function Row({
  node,
  onEdit,
  onDelete,
}: {
  readonly node: DicomNode;
  readonly onEdit: () => void;
  readonly onDelete: () => void;
}) {
  const text = useText();
  const [tested, setTested] = useState<Tested>(null);
  const { id, name } = node;
  const test = () =>
    attempt(async () => {
      setTested("running");
      try {
        setTested(await call("dicom.testNode", { nodeId: id }));
      } catch (error) {
        setTested(null);
        throw error;
      }
    });
  return (
    <tr>
      <td>{name}</td>
      <td className="data">{addressOf(node)}</td>
      <td className="data">{node.kind === "web" ? "DICOMweb" : node.aeTitle}</td>
      <td>
        <div className="row end">
          <span role="status">
            <TestResult tested={tested} />
          </span>
          <Button onClick={test} disabled={tested === "running"}>
            {text("common.testConnection")}
            <span className="visually-hidden"> {name}</span>
          </Button>
          <Button onClick={onEdit}>
            {text("common.edit")}
            <span className="visually-hidden"> {name}</span>
          </Button>
          <Button onClick={onDelete}>
            {text("common.delete")}
            <span className="visually-hidden"> {name}</span>
          </Button>
        </div>
      </td>
    </tr>
  );
}

function addressOf(node: DicomNode): string {
  if (node.kind === "web") return node.url;
  const host = node.host.includes(":") ? `[${node.host}]` : node.host;
  return `${host}:${node.port}${node.tls ? " (TLS)" : ""}`;
}

function TestResult({ tested }: { readonly tested: Tested }) {
  const text = useText();
  if (tested === null) return null;
  if (tested === "running") return <span className="quiet">{text("dicom.testing")}</span>;
  const { failure } = tested;
  if (failure === null) return <span className="dicom-good">{text("dicom.testGood")}</span>;
  return <span className="fault-text">{text(`dicom.failure_${failure.reason}`, { detail: failure.detail })}</span>;
}
