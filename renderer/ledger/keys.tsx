import { useState } from "react";
import type { DesktopResponse } from "../../core/contract/desktop.ts";
import { call } from "../state/connection.ts";
import { attempt } from "../state/faults.ts";
import { useProgram } from "../state/program.ts";
import { useChannel } from "../state/queries.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { Dialog, Question } from "../ui/dialogs/dialog.tsx";
import { Empty, Failed, Loading, Stale } from "../ui/empty.tsx";
import { TextField } from "../ui/fields/field.tsx";
import { FormDialog } from "../ui/dialogs/form-dialog.tsx";
import { useFormat } from "../ui/language/format.ts";
import { useText } from "../ui/language/language.ts";
import { showToast } from "../ui/notes/toasts.ts";
import { Table } from "../ui/table.tsx";
import { FirstCall } from "./first-call.tsx";

type KeyRow = DesktopResponse<"keys.list">["keys"][number];

export function Keys() {
  const text = useText();
  const { value, fault, staleFault, reload } = useChannel("keys.list", {});
  const clinicName = useProgram((state) => state.settings?.clinicName ?? "");
  const [isNew, setNew] = useState(false);
  const [fresh, setFresh] = useState<string | null>(null);
  const [revoking, setRevoking] = useState<KeyRow | null>(null);
  const [renaming, setRenaming] = useState<KeyRow | null>(null);
  const done = async (work: () => Promise<unknown>) => {
    await work();
    reload();
  };
  if (fault) return <Failed fault={fault} onRetry={reload} />;
  if (!value) return <Loading label={text("common.loading")} />;
  const ownAccount = value.keys[0]?.accountName ?? clinicName;
  return (
    <div className="stack">
      <Stale fault={staleFault} onRetry={reload} />
      <div className="row">
        <Button tone="primary" icon="plus" onClick={() => setNew(true)}>
          {text("ledger.newKey")}
        </Button>
      </div>
      {value.keys.length === 0 ? (
        <Empty icon="ledger" title={text("ledger.noKeys")}>
          <p>{text("ledger.noKeysText")}</p>
        </Empty>
      ) : (
        <KeyTable keys={value.keys} onRename={setRenaming} onRevoke={setRevoking} />
      )}
      <FirstCall />
      {isNew && (
        <NameKey
          title={text("ledger.newKey")}
          withAccount
          account={ownAccount}
          onClose={() => setNew(false)}
          onSave={(accountName, name) =>
            done(async () => {
              setFresh((await call("keys.create", { accountName, name })).key);
              setNew(false);
            })
          }
        />
      )}
      {renaming && (
        <NameKey
          title={text("ledger.rename")}
          name={renaming.name}
          onClose={() => setRenaming(null)}
          onSave={(_, name) =>
            done(async () => {
              await call("keys.rename", { keyId: renaming.keyId, name });
              setRenaming(null);
            })
          }
        />
      )}
      {fresh && <FreshKey value={fresh} onClose={() => setFresh(null)} />}
      <Question
        isOpen={revoking !== null}
        title={text("ledger.revokeTitle", { name: revoking?.name || revoking?.keyId || "" })}
        description={text("ledger.revokeText")}
        confirm={text("ledger.revoke")}
        isDangerous
        onCancel={() => setRevoking(null)}
        onConfirm={() => {
          if (revoking) attempt(() => done(() => call("keys.revoke", { keyId: revoking.keyId })));
          setRevoking(null);
        }}
      />
    </div>
  );
}

function KeyTable({
  keys,
  onRename,
  onRevoke,
}: {
  readonly keys: readonly KeyRow[];
  readonly onRename: (key: KeyRow) => void;
  readonly onRevoke: (key: KeyRow) => void;
}) {
  const text = useText();
  const format = useFormat();
  return (
    <Table
      heads={[
        text("ledger.keyName"),
        text("ledger.account"),
        text("ledger.created"),
        text("ledger.lastUsed"),
        text("common.status"),
        { hidden: text("ledger.revoke") },
      ]}
    >
      {keys.map((key) => (
        <tr key={key.keyId}>
          <td className="free-text">
            <span className="row">
              {key.name || <span className="quiet">{key.keyId.slice(0, 8)}</span>}
              <IconButton
                icon="hand"
                label={`${text("common.labelled", { label: text("ledger.rename") })} ${key.name || key.keyId}`}
                onClick={() => onRename(key)}
              />
            </span>
          </td>
          <td className="free-text">{key.accountName}</td>
          <td className="data">{format.minute(key.createdAt)}</td>
          <td className="data">{key.lastUsedAt ? format.minute(key.lastUsedAt) : text("ledger.never")}</td>
          <td>
            {key.revokedAt ? (
              <span className="quiet">{text("ledger.revoked", { date: format.day(key.revokedAt) })}</span>
            ) : (
              text("ledger.active")
            )}
          </td>
          <td className="number">
            {!key.revokedAt && (
              <Button tone="danger" onClick={() => onRevoke(key)}>
                {text("ledger.revoke")}
              </Button>
            )}
          </td>
        </tr>
      ))}
    </Table>
  );
}

function NameKey({
  title,
  name: given = "",
  withAccount,
  account: givenAccount = "",
  onClose,
  onSave,
}: {
  readonly title: string;
  readonly name?: string;
  readonly withAccount?: boolean;
  readonly account?: string;
  readonly onClose: () => void;
  readonly onSave: (accountName: string, name: string) => Promise<void>;
}) {
  const text = useText();
  // Closing or resubmitting the dialog before the response would create a key that is never shown.
  const [isBusy, setBusy] = useState(false);
  const [account, setAccount] = useState(givenAccount);
  const [name, setName] = useState(given);
  const canSave = name.trim() !== "" && (!withAccount || account.trim() !== "");
  const submit = () => {
    if (isBusy) return;
    setBusy(true);
    attempt(() => onSave(account.trim(), name.trim()).finally(() => setBusy(false)));
  };
  const close = () => {
    if (!isBusy) onClose();
  };
  return (
    <FormDialog
      title={title}
      submit={text(withAccount ? "ledger.create" : "common.save")}
      canSubmit={canSave}
      isBusy={isBusy}
      onSubmit={submit}
      onClose={close}
    >
      {withAccount && (
        <TextField
          label={text("ledger.account")}
          note={text("ledger.accountNote")}
          value={account}
          maxLength={120}
          onChange={(event) => setAccount(event.target.value)}
        />
      )}
      <TextField
        label={text("ledger.keyName")}
        note={text("ledger.keyNameNote")}
        value={name}
        maxLength={120}
        onChange={(event) => setName(event.target.value)}
      />
    </FormDialog>
  );
}

function FreshKey({ value, onClose }: { readonly value: string; readonly onClose: () => void }) {
  const text = useText();
  const copy = () =>
    attempt(async () => {
      await navigator.clipboard.writeText(value);
      showToast("note", text("ledger.copied"));
    });
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={text("ledger.keyOnce")}
      description={text("ledger.keyOnceText")}
      foot={
        <>
          <Button icon="copy" onClick={copy}>
            {text("ledger.copy")}
          </Button>
          <Button tone="primary" onClick={onClose}>
            {text("common.close")}
          </Button>
        </>
      }
    >
      <output className="fresh-key data">{value}</output>
    </Dialog>
  );
}
