import { call } from "../state/connection.ts";
import { fetchedPriorText, isWhole } from "../state/transfers/fetched-text.ts";
import { useJob } from "../state/transfers/use-job.ts";
import { useChannel } from "../state/queries.ts";
import { Button } from "../ui/button.tsx";
import { Stale } from "../ui/empty.tsx";
import { useText } from "../ui/language/language.ts";
import { Menu } from "../ui/menu.tsx";
import { showToast } from "../ui/notes/toasts.ts";

export function EarlierFilms({ patientId }: { readonly patientId: string }) {
  const text = useText();
  const { value, fault, reload } = useChannel("dicom.nodes", {});
  const { jobId, run, cancel } = useJob();
  const nodes = value?.nodes ?? [];
  const [only] = nodes;
  if (fault !== null) return <Stale fault={fault} onRetry={reload} />;
  if (!only) return null;
  const fetchFrom = (nodeId: string) =>
    run(async (job) => {
      const answer = await call("pacs.fetchPrior", { jobId: job, nodeId, patientId });
      showToast(isWhole(answer) ? "note" : "fault", fetchedPriorText(answer, text));
      if (answer.isCutOff) showToast("note", text("pacs.priorCutOff"));
    });
  if (jobId !== null)
    return (
      <Button icon="stop" onClick={cancel}>
        {text("pacs.stopPrior")}
      </Button>
    );
  if (nodes.length === 1)
    return (
      <Button icon="download" onClick={() => fetchFrom(only.id)}>
        {text("pacs.prior")}
      </Button>
    );
  return (
    <Menu entries={nodes.map(({ id, name }) => ({ label: name, onChoose: () => fetchFrom(id) }))}>
      <Button icon="download">{text("pacs.prior")}</Button>
    </Menu>
  );
}
