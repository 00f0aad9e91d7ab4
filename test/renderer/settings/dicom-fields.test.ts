import { expect, test } from "vitest";
import { aeTitle, dicomPeer, dicomReceiver, webPeer } from "../../../core/contract/desktop/network/dicom.ts";
import { isPrivateConnection } from "../../../core/contract/desktop/network/private-connection.ts";
import {
  isAddressOrNetwork,
  isAeTitle,
  isHost,
  isSentInClear,
  isServiceAddress,
  linesOf,
} from "../../../renderer/settings/dicom/dicom-fields.ts";
import { isPort, portOf } from "../../../renderer/settings/port.ts";

test.each<[string, (text: string) => boolean, (text: string) => boolean, readonly string[]]>([
  [
    "AE titles",
    isAeTitle,
    (text) => aeTitle.safeParse(text).success,
    [
      "CORVET",
      " CORVET ",
      "",
      " ",
      "A B",
      "ÄRZTE",
      "back\\slash",
      "1234567890123456",
      "12345678901234567",
      "tab\there",
    ],
  ],
  [
    "ports",
    (text) => isPort(portOf(text)),
    (text) => dicomReceiver.shape.port.safeParse(text === "" ? null : Number(text)).success,
    ["104", "1", "65535", "0", "65536", "-1", "1.5", "", "abc", " 104", "104a", "70000"],
  ],
  [
    "hosts",
    isHost,
    (text) => dicomPeer.shape.host.safeParse(text).success,
    ["pacs.local", "127.0.0.1", "::1", "a b", "", "pacs_1", "ä.de"],
  ],
  [
    "addresses",
    isAddressOrNetwork,
    (text) => dicomReceiver.shape.allowedAddresses.safeParse([text]).success,
    [
      "192.168.1.20",
      "192.168.1.0/24",
      "0.0.0.0/0",
      "10.0.0.0/32",
      "10.0.0.0/33",
      "256.1.1.1",
      "1.2.3",
      "1.2.3.4/",
      "1.2.3.4/8/8",
      "::1",
      "fd00::20",
      "fd00::/8",
      "fd00::/129",
      "fd00:::1",
      "fe80::1%eth0",
      "::ffff:1.2.3.4",
      "12345::",
      "xray",
      "::1",
      "01.2.3.4",
    ],
  ],
  [
    "addresses of web services",
    isServiceAddress,
    (text) => webPeer.shape.url.safeParse(text).success,
    [
      "https://pacs.local/dicom-web",
      "HTTPS://pacs",
      "http://LOCALHOST:8080",
      " https://pacs ",
      "https://user@pacs",
      "https://pacs?a",
      "https://pacs#a",
      "https://pa cs",
      "https:pacs",
      "ftp://pacs",
      "pacs",
      "",
    ],
  ],
  [
    "URLs over which a password could be intercepted",
    isSentInClear,
    (text) => {
      const url = webPeer.shape.url.safeParse(text);
      return url.success && !isPrivateConnection(new URL(url.data));
    },
    [
      "https://pacs",
      "HTTPS://pacs",
      "http://pacs",
      " HTTP://pacs ",
      "http://localhost",
      "http://LOCALHOST:8080/dicom-web",
      "http://localhost.clinic.example",
      "http://127.0.0.1",
      "http://127.1",
      "http://127.0.0.1.clinic.example",
      "http://[::1]:8042",
      "http://[0:0:0:0:0:0:0:1]",
      "http://[::2]",
      "pacs",
      "",
    ],
  ],
])("validates %s in the page as in the program", (_what, page, program, texts) => {
  expect(texts.map((text) => [text, page(text)])).toEqual(texts.map((text) => [text, program(text)]));
});

test("considers a password interceptable unless the URL is encrypted or on this computer", () => {
  const ways = ["HTTPS://pacs", "http://LOCALHOST:8080", "http://127.0.0.2", "http://pacs", "http://127.0.0.1.example"];
  expect(ways.filter(isSentInClear)).toEqual(["http://pacs", "http://127.0.0.1.example"]);
});

test("reads lists line by line without blank lines", () => {
  expect(linesOf(" XRAY \r\n\n CT\n")).toEqual(["XRAY", "CT"]);
});
