import "./anonymous.css";
import { useRef, useState } from "react";
import type { DicomNode, SendFailure } from "../../core/contract/desktop/network/dicom.ts";
import { useAnonymous } from "../state/anonymous.ts";
import { call } from "../state/connection.ts";
import { attempt, showFault } from "../state/faults.ts";
import { useSendProgress } from "../state/transfers/progress.ts";
import { useChannel } from "../state/queries.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialogs/dialog.tsx";
import { Notice, Stale } from "../ui/empty.tsx";
import { Choice } from "../ui/fields/field.tsx";
import { useText } from "../ui/language/language.ts";
import type { Area } from "./blanked-picture.tsx";
import { CheckedFilm } from "./checked-film.tsx";
import { ExportChoices, type Choices } from "./export-choices.tsx";
import { saveWithoutNames, sendWithoutNames } from "./export-end.ts";

export function AnonymousExport() {
  const { filmIds, close } = useAnonymous();
  return filmIds && <ExportDialog key={filmIds.join()} filmIds={filmIds} onClose={close} />;
}

const firstChoices: Choices = {
  contents: ["dicom", "table"],
  dates: "removed",
  descriptors: "removed",
  keepsPatient: false,
  withKeyFile: false,
};

function ExportDialog({ filmIds, onClose }: { readonly filmIds: readonly string[]; readonly onClose: () => void }) {
  const text = useText();
  const [at, setAt] = useState(0);
  const [checked, setChecked] = useState<Readonly<Record<string, readonly Area[]>>>({});
  const [choices, setChoices] = useState(firstChoices);
  const known = useChannel("dicom.nodes", {});
  const nodes = known.value?.nodes ?? [];
  const [nodeId, setNodeId] = useState(asFile);
  const node = nodes.find(({ id }) => id === nodeId) ?? null;
  const [filmId = ""] = filmIds.slice(at, at + 1);
  const left = filmIds.filter((id) => checked[id] === undefined);
  const check = (areas: readonly Area[]) => {
    setChecked({ ...checked, [filmId]: areas });
    const next = left.find((id) => id !== filmId);
    if (next) setAt(filmIds.indexOf(next));
  };
  const { start, stop, isRunning, failure, status } = useExporting(node, choices, onClose);
  const films = filmIds.map((id) => ({ filmId: id, areas: [...(checked[id] ?? [])] }));
  return (
    <Dialog
      isOpen
      isWide
      title={text("deidentify.title")}
      description={text("deidentify.text")}
      onClose={stop}
      foot={
        <>
          <span className="quiet" role="status">
            {left.length > 0 ? text("deidentify.open_count", { count: left.length }) : status}
          </span>
          <Button tone="plain" onClick={stop}>
            {text("common.cancel")}
          </Button>
          <Button
            tone="primary"
            disabled={isRunning || left.length > 0 || (!node && choices.contents.length === 0)}
            onClick={() => start(films)}
          >
            {text(node ? "deidentify.sendNow" : isRunning ? "deidentify.exporting" : "deidentify.export")}
          </Button>
        </>
      }
    >
      <div className="anonymous">
        <div className="stack">
          <div className="row">
            <strong>{text("deidentify.filmOf", { number: at + 1, count: filmIds.length })}</strong>
            {filmIds.length > 1 && (
              <>
                <Button disabled={at === 0} onClick={() => setAt(at - 1)}>
                  {text("shortcuts.previousFilm")}
                </Button>
                <Button disabled={at === filmIds.length - 1} onClick={() => setAt(at + 1)}>
                  {text("shortcuts.nextFilm")}
                </Button>
              </>
            )}
          </div>
          <CheckedFilm
            key={filmId}
            filmId={filmId}
            before={checked[filmId] ?? null}
            onCheck={check}
            onUncheck={() => setChecked(without(checked, filmId))}
          />
        </div>
        <fieldset role="presentation" className="stack" disabled={isRunning}>
          <Stale fault={known.fault} onRetry={known.reload} />
          {nodes.length > 0 && (
            <Choice
              label={text("deidentify.destination")}
              value={nodeId}
              options={[
                { value: asFile, label: text("deidentify.asFile") },
                ...nodes.map(({ id, name }) => ({ value: id, label: text("report.sendTo", { name }) })),
              ]}
              onChoose={setNodeId}
            />
          )}
          <ExportChoices choices={choices} isSent={node !== null} onChange={setChoices} />
          {failure && (
            <Notice tone="fault">{text(`dicom.failure_${failure.reason}`, { detail: failure.detail })}</Notice>
          )}
        </fieldset>
      </div>
    </Dialog>
  );
}

/** Choice value for a file, in place of a node id. */
const asFile = "";

function useExporting(node: DicomNode | null, choices: Choices, onClose: () => void) {
  const text = useText();
  const [running, setRunning] = useState<{ readonly sendId: string; readonly node: DicomNode | null } | null>(null);
  const [failure, setFailure] = useState<SendFailure | null>(null);
  const progress = useSendProgress((state) => running && state.progress[running.sendId]);
  const isStopped = useRef(false);
  const start = (films: Parameters<typeof saveWithoutNames>[0]) =>
    attempt(async () => {
      const sendId = crypto.randomUUID();
      isStopped.current = false;
      setFailure(null);
      setRunning({ sendId, node });
      try {
        const fault = node
          ? await sendWithoutNames(films, choices, { node, sendId })
          : (await saveWithoutNames(films, choices, () => !isStopped.current), null);
        if (isStopped.current) return;
        if (fault === null || fault.reason === "cancelled") onClose();
        else setFailure(fault);
      } finally {
        setRunning(null);
        useSendProgress.getState().forget(sendId);
      }
    });
  const stop = () => {
    if (running?.node) return void call("jobs.cancel", { jobId: running.sendId }).catch(showFault);
    isStopped.current = true;
    onClose();
  };
  const status =
    running?.node && text(progress ? "deidentify.sentSoFar" : "deidentify.sending", { count: progress?.objects ?? 0 });
  return { start, stop, isRunning: running !== null, failure, status };
}

function without(checked: Readonly<Record<string, readonly Area[]>>, filmId: string) {
  return Object.fromEntries(Object.entries(checked).filter(([id]) => id !== filmId));
}
