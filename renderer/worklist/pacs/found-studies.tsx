import { useEffect, useRef, useState } from "react";
import type { FoundStudy } from "../../../core/contract/desktop/network/pacs.ts";
import { call } from "../../state/connection.ts";
import { fetchedText, isWhole, type Fetched } from "../../state/transfers/fetched-text.ts";
import { useFetchProgress } from "../../state/transfers/progress.ts";
import { useJob } from "../../state/transfers/use-job.ts";
import { Button } from "../../ui/button.tsx";
import { useFormat } from "../../ui/language/format.ts";
import { useText } from "../../ui/language/language.ts";
import { showToast } from "../../ui/notes/toasts.ts";
import { FoundTable } from "./found-table.tsx";

export function FoundStudies({
  nodeId,
  studies,
}: {
  readonly nodeId: string;
  readonly studies: readonly FoundStudy[];
}) {
  const text = useText();
  return (
    <FoundTable
      label={text("pacs.found")}
      heads={[text("common.date"), text("films.patient"), text("pacs.patientId"), text("studies.study")]}
    >
      {studies.map((study) => (
        <Row key={study.studyInstanceUid} nodeId={nodeId} study={study} />
      ))}
    </FoundTable>
  );
}

function Row({ nodeId, study }: { readonly nodeId: string; readonly study: FoundStudy }) {
  const text = useText();
  const format = useFormat();
  const { jobId, run, cancel } = useJob();
  const [fetched, setFetched] = useState<Fetched | null>(null);
  // A study is fetched completely, even if the search changes or the dialog closes.
  const isShown = useRef(false);
  useEffect(() => {
    isShown.current = true;
    return () => void (isShown.current = false);
  }, []);
  const progress = useFetchProgress((state) => (jobId === null ? undefined : state.progress[jobId]));
  const { studyInstanceUid, patientName, responsiblePerson, patientId, modalities, description, day } = study;
  const fetchStudy = () =>
    run(async (job) => {
      try {
        const answer = await call("pacs.fetch", { jobId: job, nodeId, studyInstanceUid });
        setFetched(answer);
        if (isShown.current) return;
        const said = [patientName, fetchedText(answer, text)].filter(Boolean).join(": ");
        showToast(isWhole(answer) ? "note" : "fault", said);
      } finally {
        useFetchProgress.getState().forget(job);
      }
    });
  return (
    <tr>
      <td className="data">{day && /^\d{4}-\d\d-\d\d$/.test(day) ? format.day(`${day}T12:00:00`) : (day ?? "—")}</td>
      <td>{[patientName, responsiblePerson].filter(Boolean).join(", ") || "—"}</td>
      <td className="data">{patientId ?? "—"}</td>
      <td>{[modalities.join("/"), description].filter(Boolean).join(", ")}</td>
      <td>
        <div className="row end">
          <span role="status" className={fetched && !isWhole(fetched) ? "fault-text" : "quiet"}>
            {jobId !== null
              ? text("pacs.fetching", { done: progress?.fetchedObjects ?? 0 })
              : fetched && fetchedText(fetched, text)}
          </span>
          {jobId === null ? (
            <Button onClick={fetchStudy}>{text("pacs.fetch")}</Button>
          ) : (
            <Button onClick={cancel}>{text("common.cancel")}</Button>
          )}
        </div>
      </td>
    </tr>
  );
}
