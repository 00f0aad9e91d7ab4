import { useState } from "react";
import type { PackSummary } from "../../../core/contract/desktop/program.ts";
import { desktopRoutes } from "../../../core/contract/desktop/routes.ts";
import { failureInWords } from "../../../core/language/failure-in-words.ts";
import { keepUnits } from "../../../core/language/keep-units.ts";
import { call, uploadBytes } from "../../state/connection.ts";
import { attempt } from "../../state/faults.ts";
import { useChannel } from "../../state/queries.ts";
import { UnvalidatedNote } from "../../state/upkeep/unvalidated-note.tsx";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialogs/dialog.tsx";
import { Empty, Failed, Loading, Notice, Stale } from "../../ui/empty.tsx";
import { FileButton } from "../../ui/fields/file-button.tsx";
import { useLanguage, useText } from "../../ui/language/language.ts";
import { Table } from "../../ui/table.tsx";
import { Publishers } from "./publishers.tsx";
import { shownFigures } from "./pack-figures.ts";

const stateMessages = {
  active: "settings.packActive",
  available: "settings.packAvailable",
  refused: "settings.packRefused",
} as const;

export function Packs() {
  const text = useText();
  const { value, fault, staleFault, reload } = useChannel("packs.list", {});
  const [read, setRead] = useState<PackSummary | null>(null);
  const [importing, setImporting] = useState<AbortController | null>(null);
  const importZip = (zip: File) => {
    const stopping = new AbortController();
    setImporting(stopping);
    attempt(() =>
      uploadBytes(desktopRoutes.importPack, {}, zip, stopping.signal)
        .then(reload)
        .catch((error: unknown) => {
          if (!stopping.signal.aborted) throw error;
        })
        .finally(() => setImporting(null)),
    );
  };
  if (fault) return <Failed fault={fault} onRetry={reload} />;
  if (!value) return <Loading label={text("common.loading")} />;
  return (
    <div className="stack">
      <Stale fault={staleFault} onRetry={reload} />
      <div className="row">
        <FileButton
          icon="plus"
          label={text("settings.importPack")}
          accept=".zip"
          disabled={importing !== null}
          onChoose={importZip}
        >
          {text("settings.importPack")}
        </FileButton>
        {importing && (
          <span className="row" role="status">
            <span className="spinner" /> {text("settings.importing")}
          </span>
        )}
        {importing && (
          <Button tone="plain" onClick={() => importing.abort()}>
            {text("common.cancel")}
          </Button>
        )}
      </div>
      {value.packs.length === 0 ? (
        <Empty icon="info" title={text("settings.noPacks")}>
          <p>{text("settings.noPacksText")}</p>
        </Empty>
      ) : (
        <div className="pack-list">
          {value.packs.map((pack) => (
            <Pack
              key={`${pack.folder}/${pack.name}`}
              pack={pack}
              onRead={() => setRead(pack)}
              onActivate={() => attempt(() => call("packs.activate", { name: pack.name }))}
            />
          ))}
        </div>
      )}
      <Publishers />
      <Dialog isOpen={read !== null} onClose={() => setRead(null)} isWide title={read?.name ?? ""}>
        <pre className="pack-card data" tabIndex={0}>
          {read?.card}
        </pre>
      </Dialog>
    </div>
  );
}

function Figures({ pack }: { readonly pack: PackSummary }) {
  const text = useText();
  const language = useLanguage((state) => state.language);
  const figures = shownFigures(pack.evaluation, language);
  if (figures.length === 0) return null;
  return (
    <Table
      className="figures"
      heads={[
        text("packs.figure"),
        { number: text("packs.estimate") },
        { number: text("packs.interval") },
        { number: "n" },
      ]}
    >
      {figures.map(({ key, name, of, estimate, interval, count }) => (
        <tr key={key}>
          <td>
            {name === null ? <span lang="en">{key}</span> : text(name)}
            {of && <span className="figure-of quiet fine">{text(of)}</span>}
          </td>
          <td className="number">{estimate}</td>
          <td className="number">{interval}</td>
          <td className="number">{count}</td>
        </tr>
      ))}
    </Table>
  );
}

function Signature({ pack: { origin, isClinicallyValidated } }: { readonly pack: PackSummary }) {
  const text = useText();
  const signed = origin && text(origin.isKnown ? "settings.signedBy" : "settings.signedByUnknown", origin);
  return (
    <>
      <p className="quiet fine">{signed ?? text("settings.unsigned")}</p>
      {isClinicallyValidated && origin?.releasedBy ? (
        <span>{text("settings.packReleased", { person: origin.releasedBy, publisher: origin.publisher })}</span>
      ) : (
        <UnvalidatedNote />
      )}
    </>
  );
}

function Pack({
  pack,
  onRead,
  onActivate,
}: {
  readonly pack: PackSummary;
  readonly onRead: () => void;
  readonly onActivate: () => void;
}) {
  const text = useText();
  return (
    <section className={`card stack pack ${pack.state}`} aria-label={pack.name}>
      <div className="row spread">
        <h2>
          {pack.name} <span className="data quiet">{pack.version}</span>
        </h2>
        <span className={pack.state === "active" ? "tier optimal" : pack.state === "refused" ? "fault-text" : "quiet"}>
          {text(stateMessages[pack.state])}
        </span>
      </div>
      <span className="quiet">
        {[
          pack.kind && text(`packs.kind_${pack.kind}`),
          pack.modelVersion,
          pack.licence && `${text("settings.licence")} ${pack.licence}`,
        ]
          .filter(Boolean)
          .join(" · ")}
      </span>
      {pack.reason && (
        <Notice tone="fault">{failureInWords({ code: "PACK_REFUSED", reason: pack.why ?? undefined }, text)}</Notice>
      )}
      <Figures pack={pack} />
      <p className="quiet fine statement" lang="en">
        {keepUnits(pack.trainingData)}
      </p>
      <Signature pack={pack} />
      <div className="row">
        <Button disabled={pack.card === ""} onClick={onRead}>
          {text("settings.showCard")}
        </Button>
        {pack.state === "available" && (
          <Button tone="primary" onClick={onActivate}>
            {text("settings.activate")}
          </Button>
        )}
      </div>
    </section>
  );
}
