import type { Say } from "../../core/language/say.ts";
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
  const name = task.kind === "send" ? task.node.name : "";
  const title = failure ? text("report.notSent", { name }) : titleOf(task, text);
  return (
    <Dialog
      isOpen
      title={title}
      onClose={stop}
      foot={
        <>
          <Button tone="plain" onClick={stop}>
            {text(failure ? "common.close" : "common.cancel")}
          </Button>
          {failure && task.kind === "send" && (
            <Button tone="primary" onClick={() => void send(task.filmId, task.node)}>
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

function titleOf(task: Task, text: Say): string {
  return task.kind === "send" ? text("report.sending", { name: task.node.name }) : text(task.title);
}

function Progress({ task }: { readonly task: Task }) {
  const text = useText();
  const progress = useSendProgress((state) => (task.kind === "send" ? state.progress[task.sendId] : undefined));
  if (!progress) return <progress className="progress" aria-label={titleOf(task, text)} />;
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
