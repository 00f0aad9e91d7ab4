import { useState } from "react";
import type { UnopenedFile } from "../../core/contract/desktop/films.ts";
import { failureText } from "../state/faults.ts";
import { useLeftAlone } from "../state/transfers/left-alone.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { Dialog } from "../ui/dialogs/dialog.tsx";
import { useLanguage, useText } from "../ui/language/language.ts";

/** Maximum number of files listed, as a dropped disk may contain very many. */
const maxListed = 500;

export function LeftAlone() {
  const text = useText();
  const { faulty, noFilms, dismiss } = useLeftAlone();
  const [isListed, setListed] = useState(false);
  const count = faulty.length + noFilms.length;
  if (count === 0) return null;
  return (
    <div className="left-alone" data-testid="left-alone">
      <span role="status">{text("films.leftAlone", { count })}</span>
      <Button tone="plain" onClick={() => setListed(true)}>
        {text("films.leftAloneShow")}
      </Button>
      <IconButton icon="close" label={text("common.close")} onClick={dismiss} />
      <Dialog
        isOpen={isListed}
        onClose={() => setListed(false)}
        title={text("films.leftAloneTitle")}
        isWide
        foot={<Button onClick={() => setListed(false)}>{text("common.close")}</Button>}
      >
        <Files title={text("films.leftAloneFaulty")} files={faulty} />
        <Files title={text("films.leftAloneNoFilms")} files={noFilms} />
      </Dialog>
    </div>
  );
}

function Files({ title, files }: { readonly title: string; readonly files: readonly UnopenedFile[] }) {
  const text = useText();
  const language = useLanguage((state) => state.language);
  if (files.length === 0) return null;
  return (
    <section className="stack">
      <h3>{title}</h3>
      <dl className="left-alone-files">
        {files.slice(0, maxListed).map((file, index) => (
          <div key={index}>
            <dt>{file.name}</dt>
            <dd className="quiet">{failureText(file, language)}</dd>
          </div>
        ))}
      </dl>
      {files.length > maxListed && (
        <p className="quiet">{text("films.leftAloneMore", { count: files.length - maxListed })}</p>
      )}
    </section>
  );
}
