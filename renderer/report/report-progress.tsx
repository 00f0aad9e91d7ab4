import { useSendings } from "../state/sendings.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Notice } from "../ui/empty.tsx";
import { useText } from "../ui/language.ts";
import { commonMessages } from "../ui/messages/common.ts";
import { dicomMessages } from "../ui/messages/dicom.ts";
import { reportMessages } from "../ui/messages/report.ts";
import { useReport, type Task } from "./report-slice.ts";

/** How far the work is, with a way out; why a node did not take the result. */
export function ReportProgress() {
  const text = useText();
  const { task, failure, send, stop } = useReport();
  if (!task) return null;
  const name = task.kind === "send" ? task.node.name : "";
  const title = failure ? text(reportMessages.notSent, { name }) : text(titles[task.kind], { name });
  return (
    <Dialog
      isOpen
      title={title}
      onClose={stop}
      foot={
        <>
          <Button tone="plain" onClick={stop}>
            {text(failure ? commonMessages.close : commonMessages.cancel)}
          </Button>
          {failure && task.kind === "send" && (
            <Button tone="primary" onClick={() => void send(task.filmId, task.node)}>
              {text(reportMessages.again)}
            </Button>
          )}
        </>
      }
    >
      {failure ? (
        <Notice tone="fault">{text(dicomMessages[`failure_${failure.reason}`], { detail: failure.detail })}</Notice>
      ) : (
        <Progress task={task} />
      )}
    </Dialog>
  );
}

const titles = {
  handOut: reportMessages.makingHandOut,
  dicom: reportMessages.makingDicom,
  send: reportMessages.sending,
} as const;

function Progress({ task }: { readonly task: Task }) {
  const text = useText();
  const progress = useSendings((state) => (task.kind === "send" ? state.progress[task.sendId] : undefined));
  if (!progress) return <progress className="progress" aria-label={text(titles[task.kind], { name: "" })} />;
  return (
    <div className="stack">
      <progress
        className="progress"
        max={progress.totalBytes}
        value={progress.sentBytes}
        aria-label={text(reportMessages.progress, { sent: progress.sentObjects, all: progress.objects })}
      />
      <span className="quiet fine">
        {text(reportMessages.progress, { sent: progress.sentObjects, all: progress.objects })}
      </span>
    </div>
  );
}
