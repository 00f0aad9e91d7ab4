import "./anonymous.css";
import { useState } from "react";
import type { DesktopRequest, DesktopResponse } from "../../core/contract/desktop.ts";
import { useAnonymous } from "../state/anonymous.ts";
import { call } from "../state/connection.ts";
import { attempt } from "../state/faults.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { useLanguage, useText } from "../ui/language/language.ts";
import { saveTextFile, saveUrl } from "../ui/save-file.ts";
import { useToasts } from "../ui/toasts.tsx";
import type { Area } from "./blanked-picture.tsx";
import { CheckedFilm } from "./checked-film.tsx";
import { ExportChoices, type Choices } from "./export-choices.tsx";

type Exported = DesktopResponse<"deidentify.export">;

/** The dialog, while somebody wants films without names. */
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
  const [isExporting, setExporting] = useState(false);
  const [filmId = ""] = filmIds.slice(at, at + 1);
  const left = filmIds.filter((id) => checked[id] === undefined);
  const check = (areas: readonly Area[]) => {
    setChecked({ ...checked, [filmId]: areas });
    const next = left.find((id) => id !== filmId);
    if (next) setAt(filmIds.indexOf(next));
  };
  const start = () =>
    attempt(async () => {
      setExporting(true);
      try {
        const films = filmIds.map((id) => ({ filmId: id, areas: [...(checked[id] ?? [])] }));
        save(await call("deidentify.export", requestOf(films, choices)), text);
        onClose();
      } finally {
        setExporting(false);
      }
    });
  return (
    <Dialog
      isOpen
      isWide
      title={text("deidentify.title")}
      description={text("deidentify.text")}
      onClose={onClose}
      foot={
        <>
          <span className="quiet" role="status">
            {left.length > 0 && text("deidentify.open_count", { count: left.length })}
          </span>
          <Button tone="plain" onClick={onClose}>
            {text("common.cancel")}
          </Button>
          <Button
            tone="primary"
            disabled={isExporting || left.length > 0 || choices.contents.length === 0}
            onClick={start}
          >
            {text(isExporting ? "deidentify.exporting" : "deidentify.export")}
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
                  {text("deidentify.before")}
                </Button>
                <Button disabled={at === filmIds.length - 1} onClick={() => setAt(at + 1)}>
                  {text("deidentify.next")}
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
        <ExportChoices choices={choices} onChange={setChoices} />
      </div>
    </Dialog>
  );
}

function requestOf(
  films: DesktopRequest<"deidentify.export">["films"],
  choices: Choices,
): DesktopRequest<"deidentify.export"> {
  return { films, ...choices, contents: [...choices.contents], language: useLanguage.getState().language };
}

function save({ download, keyFile, films, skipped }: Exported, text: ReturnType<typeof useText>): void {
  saveUrl(download.url, download.fileName);
  if (keyFile) saveTextFile(keyFile);
  const { show } = useToasts.getState();
  show("note", text("deidentify.exported", { count: films }));
  if (skipped.length > 0) show("note", text("deidentify.skipped", { count: skipped.length }));
}

function without(checked: Readonly<Record<string, readonly Area[]>>, filmId: string) {
  return Object.fromEntries(Object.entries(checked).filter(([id]) => id !== filmId));
}
