import { expect, test } from "vitest";
import { dicomReceiver } from "../../../core/contract/desktop/network/dicom.ts";
import {
  isAddressOrNetwork,
  isAeTitle,
  isHost,
  isSentInClear,
  isServiceAddress,
  isUser,
  linesOf,
} from "../../../renderer/settings/dicom/dicom-fields.ts";
import { isPort, portOf } from "../../../renderer/settings/port.ts";

test("accepts ports as the program does", () => {
  const texts = ["104", "1", "65535", "0", "65536", "-1", "1.5", "", "abc", " 104", "104a", "70000"];
  const { port } = dicomReceiver.shape;
  expect(texts.filter((text) => isPort(portOf(text)))).toEqual(
    texts.filter((text) => port.safeParse(text === "" ? null : Number(text)).success),
  );
});

test.each<[string, (text: string) => boolean, readonly string[], readonly string[]]>([
  [
    "AE titles",
    isAeTitle,
    ["CORVET", " CORVET ", "A B", "1234567890123456"],
    ["", " ", "ÄRZTE", "back\\slash", "12345678901234567", "tab\there"],
  ],
  ["hosts", isHost, ["pacs.local", "127.0.0.1", "::1", "pacs_1"], ["a b", "", "ä.de"]],
  [
    "addresses",
    isAddressOrNetwork,
    [
      ...["192.168.1.20", "192.168.1.0/24", "0.0.0.0/0", "10.0.0.0/32"],
      ...["::1", "fd00::20", "fd00::/8", "::ffff:1.2.3.4"],
    ],
    [
      ...["10.0.0.0/33", "256.1.1.1", "1.2.3", "1.2.3.4/", "1.2.3.4/8/8", "01.2.3.4"],
      ...["fd00::/129", "fd00:::1", "fe80::1%eth0", "12345::", "xray"],
    ],
  ],
  [
    "addresses of web services",
    isServiceAddress,
    ["https://pacs.local/dicom-web", "HTTPS://pacs", "http://LOCALHOST:8080", " https://pacs "],
    ["https://user@pacs", "https://pacs?a", "https://pacs#a", "https://pa cs", "https:pacs", "ftp://pacs", "pacs", ""],
  ],
  ["user names", isUser, ["corvet", " Anna Ärztin "], ["", " ", "a:b"]],
])("accepts only valid %s", (_what, isValid, valid, invalid) => {
  expect([...valid, ...invalid].filter(isValid)).toEqual(valid);
});

test("considers a password interceptable unless the URL is encrypted or on this computer", () => {
  const inClear = [
    ...["http://pacs", " HTTP://pacs ", "http://localhost.clinic.example", "http://127.0.0.1.clinic.example"],
    "http://[::2]",
  ];
  const others = [
    ...["https://pacs", "HTTPS://pacs", "http://localhost", "http://LOCALHOST:8080/dicom-web", "http://127.0.0.1"],
    ...["http://127.0.0.2", "http://127.1", "http://[::1]:8042", "http://[0:0:0:0:0:0:0:1]", "pacs", ""],
  ];
  expect([...inClear, ...others].filter(isSentInClear)).toEqual(inClear);
});

test("reads lists line by line without blank lines", () => {
  expect(linesOf(" XRAY \r\n\n CT\n")).toEqual(["XRAY", "CT"]);
});
