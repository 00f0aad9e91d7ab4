import { databaseHost, type DatabaseAddress } from "../../../core/contract/desktop/practice/database.ts";
import { TextField } from "../../ui/fields/field.tsx";
import { useText } from "../../ui/language/language.ts";
import { PortField } from "../port-field.tsx";

export function isDatabaseHost(host: string): boolean {
  return databaseHost.safeParse(host).success;
}

export function DatabaseFields({
  address,
  isSealed,
  onChange,
}: {
  readonly address: DatabaseAddress;
  readonly isSealed: boolean;
  readonly onChange: (changed: Partial<DatabaseAddress>) => void;
}) {
  const text = useText();
  const { host, port, database, user, password, authorityFile } = address;
  return (
    <>
      <div className="dicom-pair">
        <TextField
          label={text("dicom.host")}
          note={text("database.hostNote")}
          fault={host !== "" && !isDatabaseHost(host) ? text("dicom.hostFault") : null}
          value={host}
          maxLength={1000}
          onChange={(event) => onChange({ host: event.target.value.trim() })}
        />
        <PortField value={port} onChange={(changed) => onChange({ port: changed })} />
      </div>
      <div className="dicom-pair equal">
        <TextField
          label={text("database.name")}
          value={database}
          maxLength={63}
          onChange={(event) => onChange({ database: event.target.value })}
        />
        <TextField
          label={text("database.user")}
          value={user}
          maxLength={63}
          onChange={(event) => onChange({ user: event.target.value })}
        />
      </div>
      <TextField
        label={text("database.password")}
        note={text(isSealed ? "database.passwordSealed" : "database.passwordFile")}
        type="password"
        autoComplete="new-password"
        value={password}
        maxLength={1000}
        onChange={(event) => onChange({ password: event.target.value })}
      />
      <TextField
        label={text("database.authority")}
        note={text("database.authorityNote")}
        value={authorityFile}
        maxLength={1000}
        onChange={(event) => onChange({ authorityFile: event.target.value })}
      />
    </>
  );
}
