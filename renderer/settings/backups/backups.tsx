import { useState } from "react";
import type { Backup } from "../../../core/contract/desktop/practice/backups.ts";
import { useBackup } from "../../state/upkeep/backup.ts";
import { call, connection } from "../../state/connection.ts";
import { attempt } from "../../state/faults.ts";
import { useChannel } from "../../state/queries.ts";
import { Button } from "../../ui/button.tsx";
import { Loaded, Empty, Failed, Loading, Notice, Stale } from "../../ui/empty.tsx";
import { useFormat } from "../../ui/language/format.ts";
import { useText } from "../../ui/language/language.ts";
import { showToast } from "../../ui/notes/toasts.ts";
import { UnderWay } from "../../ui/under-way.tsx";
import { Table } from "../../ui/table.tsx";
import { Encryption } from "./encryption.tsx";
import { CheckBackup, OutsideCopies } from "./outside-copies.tsx";
import { RestoreQuestion } from "./restore-question.tsx";

export function Backups() {
  return (
    <Loaded query={useChannel("app.about", {})}>
      {({ database, dataDir }) =>
        database === null ? <BackupsOfFile dataDir={dataDir} /> : <BackupsOfDatabase place={database} />
      }
    </Loaded>
  );
}

/** A PostgreSQL database is backed up and encrypted on its own host. */
function BackupsOfDatabase({ place }: { readonly place: string }) {
  const text = useText();
  return (
    <section className="card stack">
      <h2>{text("settings.backups")}</h2>
      <p>{text("database.backups", { place })}</p>
      <p>{text("database.encryption")}</p>
    </section>
  );
}

function BackupsOfFile({ dataDir }: { readonly dataDir: string }) {
  const text = useText();
  const { running, make } = useBackup();
  const { value, fault, staleFault, reload } = useChannel("backups.list", {});
  const checked = useChannel("backups.listDamaged", {});
  const [restoring, setRestoring] = useState<Backup | null>(null);
  if (fault) return <Failed fault={fault} onRetry={reload} />;
  if (!value) return <Loading label={text("common.loading")} />;
  const makeOne = () =>
    attempt(async () => {
      if (await make()) showToast("note", text("audited.backup.made"));
    });
  const restore = () =>
    attempt(async () => {
      if (restoring) await call("backups.restore", { name: restoring.name });
      setRestoring(null);
      reload();
    });
  return (
    <div className="settings-pair">
      <div className="stack">
        <Stale fault={staleFault} onRetry={reload} />
        <Stale fault={checked.fault ?? checked.staleFault} onRetry={checked.reload} />
        <DataFolder dataDir={dataDir} />
        <div className="row spread">
          <h2>{text("settings.backups")}</h2>
          <Button tone="primary" isBusy={running !== null} onClick={makeOne}>
            {text("settings.makeBackup")}
          </Button>
        </div>
        <BackupProgress />
        {value.planned && <PlannedRestore at={value.planned.at} onUndone={reload} />}
        <BackupTable backups={value.backups} damaged={checked.value?.names ?? null} onRestore={setRestoring} />
        <p className="quiet data fine">{value.folder}</p>
      </div>
      <div className="stack">
        <OutsideCopies copies={value.outside} onChange={reload} />
        <Encryption />
      </div>
      <RestoreQuestion
        madeAt={restoring?.at ?? null}
        description={text("settings.restoreText")}
        onCancel={() => setRestoring(null)}
        onConfirm={restore}
      />
    </div>
  );
}

function DataFolder({ dataDir }: { readonly dataDir: string }) {
  const text = useText();
  return (
    <section className="card stack">
      <h2>{text("settings.dataFolder")}</h2>
      <output className="data">{dataDir}</output>
      {connection().kind === "electron" && (
        <div className="row">
          <Button icon="open" onClick={() => attempt(() => call("app.openDataFolder", {}))}>
            {text("settings.openFolder")}
          </Button>
        </div>
      )}
    </section>
  );
}

function BackupProgress() {
  const text = useText();
  const format = useFormat();
  const { running, stop } = useBackup();
  if (!running) return null;
  const { progress, isStopping } = running;
  const words = () => {
    if (isStopping) return text("settings.stoppingBackup");
    if (!progress) return text("settings.preparingBackup");
    return text(progress.place === "here" ? "settings.copyingBackup" : "settings.copyingOutside", {
      copied: format.bytes(progress.copiedBytes),
      all: format.bytes(progress.totalBytes),
    });
  };
  return (
    <UnderWay
      words={words()}
      onStop={() => attempt(stop)}
      share={progress && { done: progress.copiedBytes, all: progress.totalBytes }}
    />
  );
}

type BackupTableProps = {
  readonly backups: readonly Backup[];
  /** Names of the damaged backups; null while they are being checked. */
  readonly damaged: readonly string[] | null;
  readonly onRestore: (backup: Backup) => void;
};

function BackupTable({ backups, damaged, onRestore }: BackupTableProps) {
  const text = useText();
  const format = useFormat();
  if (backups.length === 0) return <Empty icon="info" title={text("settings.noBackups")} />;
  const heads = [
    text("ledger.at"),
    text("common.status"),
    { number: text("settings.size") },
    { hidden: text("settings.restore") },
  ];
  return (
    <Table heads={heads}>
      {backups.map((backup) => {
        const isDamaged = damaged && damaged.includes(backup.name);
        return (
          <tr key={backup.name}>
            <td className="data">{format.minute(backup.at)}</td>
            <td>
              <BackupState isDamaged={isDamaged} />
            </td>
            <td className="number">{format.bytes(backup.bytes)}</td>
            <td className="number">
              <CheckBackup name={backup.name} passphrase={null} />
              <Button disabled={isDamaged === true} onClick={() => onRestore(backup)}>
                {text("settings.restore")}
              </Button>
            </td>
          </tr>
        );
      })}
    </Table>
  );
}

function PlannedRestore({ at, onUndone }: { readonly at: string; readonly onUndone: () => void }) {
  const text = useText();
  const format = useFormat();
  const undo = () =>
    attempt(async () => {
      await call("backups.cancelRestore", {});
      onUndone();
    });
  return (
    <Notice tone="review">
      <p>{text("settings.restoreSet", { date: format.minute(at) })}</p>
      <div className="row">
        <Button onClick={undo}>{text("settings.restoreUndo")}</Button>
      </div>
    </Notice>
  );
}

/** @param isDamaged  null while the backups are being checked */
function BackupState({ isDamaged }: { readonly isDamaged: boolean | null }) {
  const text = useText();
  if (isDamaged === null) return <span className="quiet">{text("settings.checkingBackups")}</span>;
  return isDamaged ? <span className="fault-text">{text("settings.damaged")}</span> : text("settings.intact");
}
