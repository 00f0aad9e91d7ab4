import { useRef, useState } from "react";
import { useAnonymous } from "../state/anonymous.ts";
import { call } from "../state/connection.ts";
import { attempt } from "../state/faults.ts";
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
          { label: text("pacs.open"), onChoose: onSearch },
          { label: text("orders.open"), onChoose: onOrders },
          { label: text("keyFilms.openMenu"), onChoose: onKeyFilms },
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

/** Exporting corrected films as annotated data; one that is stopped is not saved. */
export function useAnnotatedExport() {
  const wanted = useRef<string | null>(null);
  const [isExporting, setExporting] = useState(false);
  const stop = () => {
    const exportId = wanted.current;
    wanted.current = null;
    setExporting(false);
    if (exportId !== null) attempt(() => call("reports.cancel", { exportId }));
  };
  const start = () =>
    attempt(async () => {
      stop();
      const exportId = crypto.randomUUID();
      wanted.current = exportId;
      setExporting(true);
      try {
        const { download, exported, skipped } = await call("films.exportAnnotated", { exportId, filmIds: [] });
        if (wanted.current !== exportId) return;
        if (exported > 0) saveUrl(download.url, download.fileName);
        showToast("note", (say) => say("films.exported", { count: exported }));
        if (skipped.length > 0) showToast("note", (say) => say("deidentify.skipped", { count: skipped.length }));
      } catch (error) {
        if (wanted.current === exportId) throw error;
      } finally {
        if (wanted.current === exportId) {
          wanted.current = null;
          setExporting(false);
        }
      }
    });
  return { isExporting, start, stop };
}
