// Runs once: no store is opened.
import { expect, it } from "vitest";
import { isLaterHead, parseHead } from "../../../../main/store/ledger/record-anchor.ts";

const head = (ledgerSeq: number, sealSeq: number) => ({ ledgerSeq, ledgerHash: "a", sealSeq, sealHash: "b", atMs: 1 });

it("compares heads by the sum of their rows, and prefers any head to none", () => {
  const pairs = [
    isLaterHead(head(2, 3), head(4, 0)),
    isLaterHead(head(2, 2), head(4, 0)),
    isLaterHead(head(1, 2), head(4, 0)),
  ];
  expect(pairs).toEqual([true, false, false]);
  expect([isLaterHead(head(0, 0), null), isLaterHead(null, head(0, 0)), isLaterHead(null, null)]).toEqual([
    true,
    false,
    false,
  ]);
});

it("parses heads of empty records, and rejects negative numbers", () => {
  expect(parseHead(JSON.stringify(head(0, 0)))).toEqual(head(0, 0));
  expect([head(-1, 0), head(0, -1)].map((each) => parseHead(JSON.stringify(each)))).toEqual([null, null]);
});
