import { useSendProgress } from "../state/transfers/progress.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialogs/dialog.tsx";
import { Notice } from "../ui/empty.tsx";
import { useText } from "../ui/language/language.ts";
import { useReport, type Task } from "./report-slice.ts";

export function ReportProgress() {
  const text = useText();
  const { task, failure, send, stop } = useReport();
  if (!task) return null;
  const { title, node, filmId } = task;
  return (
    <Dialog
      isOpen
      title={failure ? text("report.notSent", { name: node?.name ?? "" }) : title}
      onClose={stop}
      foot={
        <>
          <Button tone="plain" onClick={stop}>
            {text(failure ? "common.close" : "common.cancel")}
          </Button>
          {failure && node && (
            <Button tone="primary" onClick={() => void send(filmId, node)}>
              {text("common.retry")}
            </Button>
          )}
        </>
      }
    >
      {failure ? (
        <Notice tone="fault">{text(`dicom.failure_${failure.reason}`, { detail: failure.detail })}</Notice>
      ) : (
        <Progress task={task} />
      )}
    </Dialog>
  );
}

function Progress({ task: { jobId, title } }: { readonly task: Task }) {
  const text = useText();
  const progress = useSendProgress((state) => state.progress[jobId]);
  if (!progress) return <progress className="progress" aria-label={title} />;
  return (
    <div className="stack">
      <progress
        className="progress"
        max={progress.totalBytes}
        value={progress.sentBytes}
        aria-label={text("report.progress", { sent: progress.sentObjects, all: progress.objects })}
      />
      <span className="quiet fine">
        {text("report.progress", { sent: progress.sentObjects, all: progress.objects })}
      </span>
    </div>
  );
}
