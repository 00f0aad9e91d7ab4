import { useRef } from "react";
import { useAnonymous } from "../state/anonymous.ts";
import { call } from "../state/connection.ts";
import { useJob } from "../state/transfers/use-job.ts";
import { IconButton } from "../ui/button.tsx";
import { useText } from "../ui/language/language.ts";
import { Menu } from "../ui/menu.tsx";
import { saveUrl } from "../ui/save-file.ts";
import { useCommands, useKeys } from "../ui/keys/shortcuts.ts";
import { showToast } from "../ui/notes/toasts.ts";
import { filesOfField } from "./collect-files.ts";
import { useAddFiles } from "./drop-zone.tsx";

export function OpenMenu({
  onExport,
  onSearch,
  onOrders,
  onKeyFilms,
}: {
  readonly onExport: () => void;
  readonly onSearch: () => void;
  readonly onOrders: () => void;
  readonly onKeyFilms: () => void;
}) {
  const text = useText();
  const addFiles = useAddFiles();
  const files = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const keys = useKeys("films.open");
  useCommands({ "films.open": () => files.current?.click() });
  const addChosen = (input: HTMLInputElement) => {
    addFiles(filesOfField(input.files), "file");
    input.value = "";
  };
  return (
    <>
      <Menu
        entries={[
          { label: text("films.openFiles"), keys, onChoose: () => files.current?.click() },
          { label: text("films.openFolder"), onChoose: () => folder.current?.click() },
          { label: text("common.opensDialog", { label: text("pacs.title") }), onChoose: onSearch },
          { label: text("orders.open"), onChoose: onOrders },
          { label: text("common.opensDialog", { label: text("keyFilms.title") }), onChoose: onKeyFilms },
          "line",
          {
            label: text("films.exportAnnotated"),
            onChoose: () => useAnonymous.getState().choose({ films: { standing: "decided" }, withNames: onExport }),
          },
        ]}
      >
        <IconButton icon="open" label={text("films.open")} />
      </Menu>
      <input
        ref={files}
        type="file"
        multiple
        hidden
        aria-label={text("films.openFiles")}
        data-testid="files"
        onChange={(event) => addChosen(event.target)}
      />
      <input
        ref={folder}
        type="file"
        hidden
        aria-label={text("films.openFolder")}
        data-testid="folder"
        {...{ webkitdirectory: "" }}
        onChange={(event) => addChosen(event.target)}
      />
    </>
  );
}

export function useAnnotatedExport() {
  const { jobId, run, cancel } = useJob();
  const start = () => {
    cancel();
    run(async (exportId) => {
      const { download, exported, skipped } = await call("films.exportAnnotated", { exportId });
      if (exported > 0) saveUrl(download.url, download.fileName);
      showToast("note", (say) => say("films.exported", { count: exported }));
      if (skipped > 0) showToast("note", (say) => say("deidentify.skipped", { count: skipped }));
    });
  };
  return { isExporting: jobId !== null, start, stop: cancel };
}
