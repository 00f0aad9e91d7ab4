import "./ledger.css";
import { useState } from "react";
import { usePermission } from "../state/people.ts";
import { useText } from "../ui/language/language.ts";
import { Tabs } from "../ui/tabs.tsx";
import { Events } from "./events.tsx";
import { Keys } from "./keys.tsx";
import { UrineReport } from "./urine-report.tsx";
import { Usage } from "./usage.tsx";

export function Ledger() {
  const text = useText();
  const [tab, setTab] = useState<"usage" | "events" | "keys" | "reports">("usage");
  const mayAdminister = usePermission("administer");
  return (
    <div className="page">
      <h1>{text("common.screen_ledger")}</h1>
      <Tabs
        label={text("common.screen_ledger")}
        value={tab === "keys" && !mayAdminister ? "usage" : tab}
        onChange={setTab}
        tabs={[
          { value: "usage", label: text("ledger.tabUsage"), content: <Usage /> },
          { value: "events", label: text("ledger.tabEvents"), content: <Events /> },
          ...(mayAdminister ? [{ value: "keys" as const, label: text("ledger.tabKeys"), content: <Keys /> }] : []),
          { value: "reports", label: text("ledger.tabReports"), content: <UrineReport /> },
        ]}
      />
    </div>
  );
}
