// Runs once: uses no store.
import { appendFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import type { BackupProgress } from "../../../../core/contract/desktop/practice/backups.ts";
import { bytesOfFolder, watchGrowth } from "../../../../main/services/program/backups/watch-growth.ts";
import { folderForEach } from "../../../fixtures/folders.ts";

const folder = folderForEach();

test("reports the size of an unfinished copy, at most the total, until it ends", async () => {
  const told: BackupProgress[] = [];
  const end = watchGrowth(
    { folder: folder(), totalBytes: 100, place: "outside" },
    (progress) => void told.push(progress),
  );
  const last = () => told.at(-1)?.copiedBytes;
  const file = path.join(folder(), "corvet-20261122T100000000Z.corvet.unfinished");
  writeFileSync(path.join(folder(), "corvet-20261121T100000000Z.corvet"), Buffer.alloc(90));
  writeFileSync(file, Buffer.alloc(40));
  await expect.poll(last).toBe(40);
  appendFileSync(file, Buffer.alloc(80));
  await expect.poll(last).toBe(100);
  expect(told.every(({ totalBytes, place }) => totalBytes === 100 && place === "outside")).toBe(true);
  end();
  const count = told.length;
  // Only another watch reports that the file shrinks; the first one has ended.
  writeFileSync(file, Buffer.alloc(10));
  const later: BackupProgress[] = [];
  const endOther = watchGrowth(
    { folder: folder(), totalBytes: 100, place: "outside" },
    (progress) => void later.push(progress),
  );
  await expect.poll(() => later.length).toBeGreaterThan(1);
  endOther();
  expect(told).toHaveLength(count);
});

test("returns the total size of a folder's files, and 0 for a missing folder", async () => {
  for (const name of ["a", "b"]) writeFileSync(path.join(folder(), name), Buffer.alloc(30));
  expect([await bytesOfFolder(folder()), await bytesOfFolder(path.join(folder(), "missing"))]).toEqual([60, 0]);
});
