import { useState } from "react";
import type {
  DatabaseAddress,
  DatabaseState,
  TestedDatabase,
} from "../../../core/contract/desktop/practice/database.ts";
import { call } from "../../state/connection.ts";
import { attempt } from "../../state/faults.ts";
import { useJob } from "../../state/transfers/use-job.ts";
import { Button } from "../../ui/button.tsx";
import { Form } from "../../ui/fields/form.tsx";
import { TextField } from "../../ui/fields/field.tsx";
import { useText } from "../../ui/language/language.ts";
import { UnderWay } from "../../ui/under-way.tsx";
import { isPort } from "../port.ts";
import { DatabaseFields, isDatabaseHost } from "./database-fields.tsx";
import { Tested } from "./tested-database.tsx";

const empty: DatabaseAddress = { host: "", port: 5432, database: "", user: "", password: "", authorityFile: "" };

type Found = { readonly of: string; readonly tested: TestedDatabase };

function addressKey(address: DatabaseAddress): string {
  return JSON.stringify(address);
}

/** The address must be tested before use and is not stored until then. */
export function DatabaseForm({ state, onChosen }: { readonly state: DatabaseState; readonly onChosen: () => void }) {
  const text = useText();
  const [address, setAddress] = useState(empty);
  const [isUnreadable, setUnreadable] = useState(false);
  const [found, setFound] = useState<Found | null>(null);
  const { jobId: testId, run, cancel } = useJob();
  const test = () => {
    setFound(null);
    run(async (id) =>
      setFound({ of: addressKey(address), tested: await call("database.test", { testId: id, address }) }),
    );
  };
  const set = (changed: Partial<DatabaseAddress>) => setAddress({ ...address, ...changed });
  const tested = found?.of === addressKey(address) ? found.tested : null;
  const paste = (pasted: string) => {
    const fields = pasted.trim() === "" ? null : fieldsOfAddress(pasted);
    setUnreadable(pasted.trim() !== "" && fields === null);
    if (fields) set(fields);
    return fields !== null;
  };
  const use = () =>
    attempt(async () => {
      const chosen = await call("database.choose", { address });
      if (chosen.tested?.isUsable) {
        setAddress(empty);
        setFound(null);
      } else if (chosen.tested) setFound({ of: addressKey(address), tested: chosen.tested });
      onChosen();
    });
  const isComplete = isDatabaseHost(address.host) && address.database.trim() !== "" && isPort(address.port);
  return (
    <Form className="card stack" onSubmit={test}>
      <h2>{text("database.choose")}</h2>
      <p className="quiet">{text("database.chooseNote")}</p>
      <PasteField isUnreadable={isUnreadable} onPaste={paste} />
      <DatabaseFields address={address} isSealed={state.isSealed} onChange={set} />
      <div className="row">
        <Button type="submit" disabled={!isComplete || testId !== null}>
          {text("common.testConnection")}
        </Button>
        <Button tone="primary" disabled={tested?.isUsable !== true || testId !== null} onClick={use}>
          {text("database.use")}
        </Button>
      </div>
      {testId !== null && <UnderWay words={text("database.testing")} onStop={cancel} />}
      {tested && <Tested tested={tested} present={state.place ?? state.file} />}
    </Form>
  );
}

/** Clears itself after filling in the other fields, so that a pasted password does not stay visible. */
function PasteField({
  isUnreadable,
  onPaste,
}: {
  readonly isUnreadable: boolean;
  readonly onPaste: (pasted: string) => boolean;
}) {
  const text = useText();
  const [pasted, setPasted] = useState("");
  const apply = () => onPaste(pasted) && setPasted("");
  return (
    <TextField
      label={text("database.paste")}
      note={text("database.pasteNote")}
      fault={isUnreadable ? text("database.pasteFault") : null}
      className="input data"
      value={pasted}
      onChange={(event) => setPasted(event.target.value)}
      onBlur={apply}
      onKeyDown={(event) => event.key === "Enter" && (event.preventDefault(), apply())}
      onPaste={(event) => {
        if (!onPaste(event.clipboardData.getData("text"))) return;
        event.preventDefault();
        setPasted("");
      }}
    />
  );
}

const known = new Set(["host", "sslmode", "sslrootcert"]);

/** Parses a postgres:// URL; null if it is invalid or has parts without a field. */
function fieldsOfAddress(pasted: string): DatabaseAddress | null {
  const text = pasted.trim();
  const url = URL.parse(text) ?? URL.parse(text.replace("@/", "@localhost/"));
  if (!url || !["postgres:", "postgresql:"].includes(url.protocol)) return null;
  if ([...url.searchParams.keys()].some((name) => !known.has(name))) return null;
  try {
    return {
      host:
        url.searchParams.get("host") ?? (decodeURIComponent(url.hostname).replace(/^\[(.*)\]$/, "$1") || "localhost"),
      port: Number(url.port || "5432"),
      database: decodeURIComponent(url.pathname.slice(1)),
      user: decodeURIComponent(url.username),
      password: decodeURIComponent(url.password),
      authorityFile: url.searchParams.get("sslrootcert") ?? "",
    };
  } catch {
    return null;
  }
}
