import { call } from "../../state/connection.ts";
import { Empty, Notice } from "../../ui/empty.tsx";
import { useText } from "../../ui/language/language.ts";
import { FoundStudies } from "./found-studies.tsx";
import { NodeSearch } from "./node-search.tsx";

export function PacsDialog({ onClose }: { readonly onClose: () => void }) {
  const text = useText();
  return (
    <NodeSearch
      title={text("pacs.title")}
      about={text("pacs.text")}
      nodeLabel={text("pacs.node")}
      noNodes={[text("pacs.noNodes"), text("pacs.noNodesText")]}
      initial={() => ({ name: "", patientId: "", from: "", to: "" })}
      ask={(jobId, nodeId, query) => call("pacs.find", { jobId, nodeId, query })}
      onClose={onClose}
    >
      {({ studies, failure, isCutOff }, nodeId) => (
        <>
          {isCutOff && <Notice>{text("pacs.cutOff", { count: studies.length })}</Notice>}
          {!failure && studies.length === 0 && <Empty icon="search" title={text("common.nothingFound")} />}
          {studies.length > 0 && <FoundStudies nodeId={nodeId} studies={studies} />}
        </>
      )}
    </NodeSearch>
  );
}
