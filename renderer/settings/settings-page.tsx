import "./settings.css";
import { useState, type ReactNode } from "react";
import { Tabs } from "radix-ui";
import { settingsTabs, useSettingsTab, type SettingsTab } from "../state/places/settings-tab.ts";
import { usePermission } from "../state/people.ts";
import { TextField } from "../ui/fields/field.tsx";
import { useText } from "../ui/language/language.ts";
import { About } from "./about.tsx";
import { Backups } from "./backups/backups.tsx";
import { DicomSettings } from "./dicom/dicom-settings.tsx";
import { Folders } from "./folders/folders.tsx";
import { GeneralSettings } from "./general-settings.tsx";
import { LocalService } from "./local-service.tsx";
import { Packs } from "./packs/packs.tsx";
import { ReferenceRanges } from "./ranges/reference-ranges.tsx";
import { Practice } from "./practice/practice.tsx";
import { AuditTrail } from "./people/audit-trail.tsx";
import { MyAccount } from "./people/my-account.tsx";
import { People } from "./people/people.tsx";
import { findSettings, settingsGroups } from "./settings-index.ts";

const ofAdministrator: Readonly<Record<SettingsTab, ReactNode>> = {
  general: <GeneralSettings />,
  people: <People />,
  ranges: <ReferenceRanges />,
  audit: <AuditTrail />,
  dicom: <DicomSettings />,
  folders: <Folders />,
  server: <LocalService />,
  practice: <Practice />,
  backups: <Backups />,
  packs: <Packs />,
  about: <About />,
};
const ofOthers: Readonly<Partial<Record<SettingsTab, ReactNode>>> = {
  general: <GeneralSettings />,
  people: <MyAccount />,
  about: <About />,
};

export function SettingsPage() {
  const text = useText();
  const { tab, setTab } = useSettingsTab();
  const content = usePermission("administer") ? ofAdministrator : ofOthers;
  // A link to an administration tab may be shown to other users, or the tab may be open from another user's session.
  const shown = content[tab] ? tab : "general";
  return (
    <div className="page">
      <h1>{text("common.screen_settings")}</h1>
      <Tabs.Root
        className="settings"
        orientation="vertical"
        activationMode="manual"
        value={shown}
        onValueChange={(next) => setTab(next as SettingsTab)}
      >
        <Places isShown={(each) => content[each] !== undefined} onOpen={setTab} />
        <Tabs.Content className="settings-content" value={shown}>
          {content[shown]}
        </Tabs.Content>
      </Tabs.Root>
    </div>
  );
}

function Places({
  isShown,
  onOpen,
}: {
  readonly isShown: (tab: SettingsTab) => boolean;
  readonly onOpen: (tab: SettingsTab) => void;
}) {
  const text = useText();
  const [search, setSearch] = useState("");
  const groups = settingsGroups.flatMap(({ name, tabs }) => {
    const found = findSettings(search, tabs.filter(isShown), text);
    return found.length > 0 ? [{ name, found }] : [];
  });
  const first = groups[0]?.found[0];
  return (
    <div className="settings-places no-print">
      <TextField
        label={text("settings.search")}
        type="search"
        value={search}
        onChange={(event) => setSearch(event.target.value)}
        onKeyDown={(event) => event.key === "Enter" && first && onOpen(first.tab)}
      />
      <Tabs.List className="settings-tabs" aria-label={text("common.screen_settings")}>
        {groups.map(({ name, found }) => (
          <div key={name} className="settings-group" role="presentation">
            <span className="quiet fine">{text(`settings.group_${name}`)}</span>
            {found.map(({ tab, texts }) => (
              <Tabs.Trigger key={tab} className="settings-tab" value={tab}>
                {text(settingsTabs[tab].name)}
                {texts.map((hit) => (
                  <span key={hit} className="settings-hit quiet fine">
                    {hit}
                  </span>
                ))}
              </Tabs.Trigger>
            ))}
          </div>
        ))}
      </Tabs.List>
      {search === "" && <p className="quiet fine">{text("settings.savingRule")}</p>}
      {groups.length === 0 && (
        <p className="quiet" role="status">
          {text("common.nothingFound")}
        </p>
      )}
    </div>
  );
}
