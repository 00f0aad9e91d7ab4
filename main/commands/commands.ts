import type { Command } from "commander";

/** Commands by name. Modules are loaded on demand, since some load networks or database drivers. */
export const commands: Readonly<Record<string, { readonly summary: string; readonly load: () => Promise<Command> }>> = {
  serve: {
    summary: "run the service, with a page for the browser",
    load: async () => (await import("../headless.ts")).serveCommand(),
  },
  measure: {
    summary: "measure films: no server, no billing",
    load: async () => (await import("./measure.ts")).measureCommand(),
  },
  validate: {
    summary: "compare measurements with annotated films",
    load: async () => (await import("./validate.ts")).validateCommand(),
  },
  report: {
    summary: "measure films and write handouts and DICOM results",
    load: async () => (await import("./report.ts")).reportCommand(),
  },
  open: {
    summary: "show a patient or a film in the running Corvet",
    load: async () => (await import("./open.ts")).openCommand(),
  },
  keys: { summary: "API keys and their rates", load: async () => (await import("./keys.ts")).keysCommand() },
  ledger: {
    summary: "verify and export the ledger, set prices",
    load: async () => (await import("./store/ledger.ts")).ledgerCommand(),
  },
  "usg-report": {
    summary: "screenings by clinic, month and tier",
    load: async () => (await import("./usg-report.ts")).usgReportCommand(),
  },
  backup: {
    summary: "make, check and restore backups",
    load: async () => (await import("./store/backup.ts")).backupCommand(),
  },
  store: {
    summary: "copy a store between a data directory and PostgreSQL",
    load: async () => (await import("./store/store.ts")).storeCommand(),
  },
  encryption: {
    summary: "encrypt store, films and backups, or decrypt them",
    load: async () => (await import("./store/encryption.ts")).encryptionCommand(),
  },
  patient: {
    summary: "export or erase a patient",
    load: async () => (await import("./patient.ts")).patientCommand(),
  },
  people: {
    summary: "list users, reset a PIN, turn sign-in off",
    load: async () => (await import("./people.ts")).peopleCommand(),
  },
  pacs: {
    summary: "search a PACS, fetch, send",
    load: async () => (await import("./pacs.ts")).pacsCommand(),
  },
  pack: {
    summary: "sign, verify and inspect model packs",
    load: async () => (await import("./pack.ts")).packCommand(),
  },
  support: {
    summary: "a ZIP for support, without personal data",
    load: async () => (await import("./support.ts")).supportCommand(),
  },
};
