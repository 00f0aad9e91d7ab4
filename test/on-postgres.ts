/**
 * Where tests look at a store through its questions: they run once more, on a store in PostgreSQL. Load on PostgreSQL has
 * tests of its own, with several programs on one database (test/cluster).
 */
export const onBothEngines: readonly string[] = [
  "test/main/store/**/*.test.ts",
  "test/main/services/**/*.test.ts",
  "test/conformance/*.test.ts",
  "test/main/server/{hostile-clients,kill,lost-connections}.test.ts",
];

/** Files among them that run once, by the reason for it. A test finds one that is gone. */
export const onceOnly: Readonly<Record<string, readonly string[]>> = {
  "looks at a file: its format, its migrations, its encryption": [
    "test/main/store/before-migration.test.ts",
    "test/main/store/database.test.ts",
    "test/main/store/drafts-store.test.ts",
    "test/main/store/encryption/encryption.test.ts",
    "test/main/store/encryption/held-store.test.ts",
    "test/main/services/program/encryption/backup-key.test.ts",
    "test/main/store/films/reading-values.test.ts",
    "test/main/store/schema.test.ts",
    "test/main/services/updates/encrypted-store.test.ts",
    "test/main/services/worklist/held-store.test.ts",
  ],
  "copies a file: a database is backed up by its server": [
    "test/main/store/backup-archive.test.ts",
    "test/main/store/veiled-file.test.ts",
    "test/main/services/program/backup.test.ts",
    "test/main/services/program/backup-plan.test.ts",
  ],
  "looks at PostgreSQL, or at both engines side by side, as it is": [
    "test/main/store/copying/copy-store.test.ts",
    "test/main/store/machines/machines.test.ts",
    "test/main/store/engines/postgres-address.test.ts",
    "test/main/store/engines/postgres-faults.test.ts",
    "test/main/store/engines/postgres-store.test.ts",
    "test/main/store/engines/refusals.test.ts",
    "test/main/store/engines/schema-parity.test.ts",
    "test/main/store/engines/screened-patients.test.ts",
    "test/main/store/engines/transactions.test.ts",
    "test/main/store/film-images/film-images.test.ts",
    "test/main/services/program/sharing/practice-database.test.ts",
    "test/main/services/program/store-place.test.ts",
    "test/main/services/worklist/drafts.test.ts",
    "test/main/services/worklist/drafts/handed-over-exports.test.ts",
    "test/main/services/worklist/drafts/handed-over-photographs.test.ts",
    "test/main/services/worklist/patients/species-on-drafts.test.ts",
    "test/main/services/worklist/received-on-drafts.test.ts",
  ],
  "asks no store": [
    "test/main/services/desktop/exports.test.ts",
    "test/main/services/measuring/annotation-drawing.test.ts",
    "test/main/services/measuring/measured-window.test.ts",
    "test/main/services/measuring/measurement-drawing.test.ts",
    "test/main/services/measuring/measurement-strip.test.ts",
    "test/main/services/measuring/open-radiograph.test.ts",
    "test/main/services/measuring/render.test.ts",
    "test/main/services/practice/growing-pauses.test.ts",
    "test/main/services/program/announce-renewal.test.ts",
    "test/main/services/program/troubles.test.ts",
    "test/main/services/program/watch-growth.test.ts",
    "test/main/store/like-pattern.test.ts",
  ],
};

/**
 * Files that a hurried run (`CI=true`) leaves out as well, by the reason; `CORVET_POSTGRES=whole` takes them along, and a
 * run without `CI` always does.
 */
export const leftOutInHurry: Readonly<Record<string, readonly string[]>> = {
  "asks of the store what the tests of the worklist ask, and talks to other programs for most of its time": [
    "test/main/services/network/commitment.test.ts",
    "test/main/services/network/dicom-receive.test.ts",
    "test/main/services/network/dicom-send.test.ts",
    "test/main/services/network/dicom-tls.test.ts",
    "test/main/services/network/dicomweb.test.ts",
    "test/main/services/network/encrypted-questions.test.ts",
    "test/main/services/network/key-films.test.ts",
    "test/main/services/network/pacs.test.ts",
    "test/main/services/network/restore.test.ts",
    "test/main/services/privacy/deidentified-export.test.ts",
    "test/main/services/privacy/deidentified-sending.test.ts",
  ],
  "asks of the store what other files here ask, and takes long": [
    "test/conformance/clients.test.ts",
    "test/conformance/openapi.test.ts",
    "test/conformance/section-4-perspective.test.ts",
    "test/conformance/section-7-errors.test.ts",
    "test/conformance/section-8-limits.test.ts",
    "test/main/server/hostile-clients.test.ts",
    "test/main/services/import/import-files.test.ts",
    "test/main/services/network/worklist.test.ts",
    "test/main/services/practice/mllp.test.ts",
    "test/main/services/practice/openings.test.ts",
    "test/main/services/program/program-services.test.ts",
    "test/main/services/program/usg-desk.test.ts",
    "test/main/services/results/results.test.ts",
    "test/main/services/sample/sample-study.test.ts",
    "test/main/services/updates/updates.test.ts",
  ],
};
