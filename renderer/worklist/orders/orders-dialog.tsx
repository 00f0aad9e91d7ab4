import { localDay } from "../../../core/local-day.ts";
import { call } from "../../state/connection.ts";
import { Empty, Notice } from "../../ui/empty.tsx";
import { useText } from "../../ui/language/language.ts";
import { NodeSearch } from "../pacs/node-search.tsx";
import { FoundOrders } from "./found-orders.tsx";

export function OrdersDialog({ onClose }: { readonly onClose: () => void }) {
  const text = useText();
  return (
    <NodeSearch
      title={text("orders.title")}
      about={text("orders.text")}
      nodeLabel={text("films.worklist")}
      noNodes={[text("orders.noNodes"), text("orders.noNodesText")]}
      isMeant={(node) => node.kind === "dimse" && node.offersWorklist === true}
      initial={fieldsOfToday}
      ask={(jobId, nodeId, query) => call("orders.find", { jobId, nodeId, query })}
      onClose={onClose}
    >
      {({ orders, failure, isCutOff }, _nodeId, close) => (
        <>
          {isCutOff && <Notice>{text("orders.cutOff", { count: orders.length })}</Notice>}
          {!failure && orders.length === 0 && <Empty icon="search" title={text("orders.nothing")} />}
          {orders.length > 0 && <FoundOrders orders={orders} onTaken={close} />}
        </>
      )}
    </NodeSearch>
  );
}

function fieldsOfToday() {
  const today = localDay(new Date());
  return { name: "", patientId: "", from: today, to: today, station: "" };
}
