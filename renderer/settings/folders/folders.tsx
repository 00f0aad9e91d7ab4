import { useRef, useState } from "react";
import type { DesktopResponse } from "../../../core/contract/desktop.ts";
import { sidecarFormats } from "../../../core/contract/desktop/practice/folders.ts";
import { call, ProgramError } from "../../state/connection.ts";
import { attempt, faultText } from "../../state/faults.ts";
import { useChannel } from "../../state/queries.ts";
import { Button } from "../../ui/button.tsx";
import { useDraftOver } from "../../ui/fields/draft-over.ts";
import { Loaded } from "../../ui/empty.tsx";
import { Form } from "../../ui/fields/form.tsx";
import { Choice, Switch, TextField } from "../../ui/fields/field.tsx";
import { useFormat } from "../../ui/language/format.ts";
import { useText } from "../../ui/language/language.ts";
import { FolderState, OutboxState } from "./folder-state.tsx";
import { Mllp } from "./mllp.tsx";

type State = DesktopResponse<"folders.get">;
type Settings = State["settings"];
type Folder = Settings["folders"][number];

const newFolder: Folder = { path: "", afterwards: "move" };

export function Folders() {
  const text = useText();
  const query = useChannel("folders.get", {});
  return (
    <div className="stack">
      <Loaded query={query}>
        {(state) => (
          <>
            <p className="quiet">{text("folders.intro")}</p>
            <div className="settings-columns wide">
              <FolderForm state={state} onSaved={query.setValue} />
              <Mllp />
            </div>
          </>
        )}
      </Loaded>
    </div>
  );
}

function FolderForm({ state, onSaved }: { readonly state: State; readonly onSaved: (state: State) => void }) {
  const text = useText();
  const [draft, setDraft, saveDraft] = useDraftOver("folders", state.settings);
  const [failure, setFailure] = useState<unknown>(null);
  const faultOf = (path: string) => (isNamed(path, failure) ? faultText(failure) : null);
  const set = (changed: Partial<Settings>) => {
    setDraft({ ...draft, ...changed });
    setFailure(null);
  };
  const save = () =>
    attempt(() =>
      saveDraft(async () => {
        const folders = draft.folders.filter(({ path }) => path.trim() !== "");
        onSaved(await call("folders.save", { ...draft, folders, outbox: draft.outbox?.trim() ? draft.outbox : null }));
        setFailure(null);
      }).catch((error: unknown) => {
        setFailure(error);
        const paths = [...draft.folders.map(({ path }) => path), draft.outbox ?? ""];
        if (!paths.some((path) => isNamed(path, error))) throw error;
      }),
    );
  const section = { state, draft, set, faultOf };
  return (
    <Form className="stack" onSubmit={save}>
      <WatchedFolders {...section} />
      <Outbox {...section} />
      <div className="row">
        <Button tone="primary" type="submit">
          {text("common.save")}
        </Button>
      </div>
    </Form>
  );
}

type SectionProps = {
  readonly state: State;
  readonly draft: Settings;
  readonly set: (changed: Partial<Settings>) => void;
  readonly faultOf: (path: string) => string | null;
};

function WatchedFolders({ state, draft: { folders }, set, faultOf }: SectionProps) {
  const text = useText();
  const adding = useRef<HTMLButtonElement>(null);
  const change = (index: number, changed: Partial<Folder>) =>
    set({ folders: folders.map((folder, at) => (at === index ? { ...folder, ...changed } : folder)) });
  const remove = (index: number) => {
    set({ folders: folders.filter((_, at) => at !== index) });
    // The row below moves up and gets the focus; without one, the focus moves to the button.
    if (index === folders.length - 1) adding.current?.focus();
  };
  return (
    <section className="card stack">
      <h2>{text("folders.watched")}</h2>
      {folders.map((folder, index) => (
        <div key={index} className="stack">
          <TextField
            label={text("folders.path", { number: index + 1 })}
            note={<FolderState state={state} path={folder.path} />}
            fault={faultOf(folder.path)}
            value={folder.path}
            onChange={(event) => change(index, { path: event.target.value })}
          />
          <div className="row filters">
            <Choice
              label={text("folders.afterwards")}
              value={folder.afterwards}
              options={[
                { value: "move", label: text("folders.move") },
                { value: "leave", label: text("folders.leave") },
              ]}
              onChoose={(afterwards) => change(index, { afterwards })}
            />
            <Button onClick={() => remove(index)}>{text("common.remove")}</Button>
          </div>
        </div>
      ))}
      <div className="row">
        <Button ref={adding} onClick={() => set({ folders: [...folders, newFolder] })}>
          {text("folders.add")}
        </Button>
      </div>
    </section>
  );
}

function Outbox({ state, draft: { outbox, formats, allFilmsSince }, set, faultOf }: SectionProps) {
  const text = useText();
  const format = useFormat();
  return (
    <section className="card stack">
      <h2>{text("folders.outbox")}</h2>
      <TextField
        label={text("folders.outboxPath")}
        note={<OutboxState state={state} />}
        fault={faultOf(outbox ?? "")}
        value={outbox ?? ""}
        onChange={(event) => set({ outbox: event.target.value })}
      />
      {sidecarFormats.map((kind) => (
        <Switch
          key={kind}
          label={text(`folders.format_${kind}`)}
          isOn={formats.includes(kind)}
          onChange={(isOn) =>
            set({ formats: sidecarFormats.filter((one) => (one === kind ? isOn : formats.includes(one))) })
          }
        />
      ))}
      <Switch
        label={text("folders.allFilms")}
        isOn={allFilmsSince !== null}
        onChange={(isOn) => set({ allFilmsSince: isOn ? new Date().toISOString() : null })}
      />
      {allFilmsSince !== null && (
        <p className="quiet fine">{text("folders.allFilmsSince", { at: format.minute(allFilmsSince) })}</p>
      )}
    </section>
  );
}

/** Whether a failure concerns this path: its reason contains it, ignoring outer spaces and trailing slashes. */
function isNamed(path: string, failure: unknown): failure is ProgramError {
  if (!(failure instanceof ProgramError) || path.trim() === "") return false;
  const named = Object.values(failure.reason?.values ?? {});
  return named.some((value) => typeof value === "string" && bare(value) === bare(path));
}

function bare(path: string): string {
  return path.trim().replace(/[\\/]+$/, "");
}
