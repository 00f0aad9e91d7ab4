import { expect, test } from "vitest";
import { sayIn } from "../../../core/language/say.ts";
import { findSettings, settingsGroups } from "../../../renderer/settings/settings-index.ts";

const tabs = settingsGroups.flatMap((group) => [...group.tabs]);

test("lists all tabs without a search", () => {
  expect(findSettings(" ", tabs, sayIn("en")).map(({ tab, texts }) => [tab, texts.length])).toEqual(
    tabs.map((tab) => [tab, 0]),
  );
});

test("finds settings in the language of the page, ignoring case, order and accents", () => {
  expect(findSettings("titles AE", tabs, sayIn("en"))).toEqual([{ tab: "dicom", texts: ["Allowed AE titles"] }]);
  expect(findSettings("aufnahmen behalten", tabs, sayIn("de"))).toEqual([]);
  expect(findSettings("menue", ["folders", "general"], (key) => (key === "settings.shortcuts" ? "Menü" : ""))).toEqual([
    { tab: "general", texts: ["Menü"] },
  ]);
  expect(findSettings("RACCOURCIS", tabs, sayIn("fr"))).toEqual([
    { tab: "general", texts: [sayIn("fr")("settings.shortcuts")] },
  ]);
  expect(findSettings("donnees", tabs, sayIn("fr")).map(({ tab }) => tab)).toContain("backups");
});

test("finds only tabs that are shown", () => {
  expect(findSettings("AE", ["general", "about"], sayIn("en")).map(({ tab }) => tab)).not.toContain("dicom");
});
