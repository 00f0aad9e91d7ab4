import "./settings.css";
import { useSettingsTab } from "../state/places/settings-tab.ts";
import { useMay } from "../state/people.ts";
import { useText } from "../ui/language/language.ts";
import { Tabs } from "../ui/tabs.tsx";
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

/** Settings and everything about the program itself. */
export function SettingsPage() {
  const text = useText();
  const { tab, setTab } = useSettingsTab();
  const mayAdminister = useMay("administer");
  const tabs = [
    { value: "general", label: text("settings.tabGeneral"), content: <GeneralSettings /> },
    ...(mayAdminister
      ? ([
          { value: "people", label: text("people.tab"), content: <People /> },
          { value: "practice", label: text("database.tab"), content: <Practice /> },
          { value: "server", label: text("settings.tabServer"), content: <LocalService /> },
          { value: "dicom", label: "DICOM", content: <DicomSettings /> },
          { value: "folders", label: text("folders.tab"), content: <Folders /> },
          { value: "ranges", label: text("ranges.tab"), content: <ReferenceRanges /> },
          { value: "packs", label: text("settings.tabPacks"), content: <Packs /> },
          { value: "backups", label: text("settings.tabBackups"), content: <Backups /> },
          { value: "audit", label: text("people.auditTab"), content: <AuditTrail /> },
        ] as const)
      : ([{ value: "people", label: text("people.tab"), content: <MyAccount /> }] as const)),
    { value: "about", label: text("settings.tabAbout"), content: <About /> },
  ] as const;
  // A link to an administration tab may be shown to other users, or the tab may be open from another user's session.
  const shown = tabs.find(({ value }) => value === tab)?.value ?? "general";
  return (
    <div className="page">
      <h1>{text("settings.title")}</h1>
      <Tabs label={text("settings.title")} value={shown} onChange={setTab} tabs={tabs} />
    </div>
  );
}
