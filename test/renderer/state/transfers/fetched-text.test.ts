import { expect, test } from "vitest";
import { sayIn } from "../../../../core/language/say.ts";
import { fetchedPriorText } from "../../../../renderer/state/transfers/fetched-text.ts";

const said = (fetchedObjects: number, failedObjects: number) =>
  fetchedPriorText({ fetchedObjects, failedObjects, failure: null }, sayIn("en"));

test("counts films that an archive did not send, and then never reports that there are none", () => {
  expect(said(3, 0)).toBe("3 earlier films fetched");
  expect(said(0, 0)).toBe("No earlier films in the archive");
  expect(said(1, 2)).toBe("1 fetched, 2 failed");
  expect(said(0, 2)).toBe("0 fetched, 2 failed");
  const failure = { reason: "connection-lost", detail: "" } as const;
  expect(fetchedPriorText({ fetchedObjects: 2, failedObjects: 0, failure }, sayIn("en"))).toMatch(/^2 fetched, /);
});
