import { useEffect } from "react";
import { createPortal } from "react-dom";
import { useProgram } from "../../state/program.ts";
import { displayKeys } from "../../ui/keys/shortcut-keys.ts";
import { commandsOf, shortcutGroups, shortcutTable, usualKeys, useShortcutKeys } from "../../ui/keys/shortcuts.ts";
import { useLanguage, useText } from "../../ui/language/language.ts";

export function KeyboardCard({ onPrinted }: { readonly onPrinted: () => void }) {
  const text = useText();
  const language = useLanguage((state) => state.language);
  const changed = useShortcutKeys((state) => state.changed);
  const clinic = useProgram((state) => state.settings?.clinicName);
  useEffect(() => {
    window.addEventListener("afterprint", onPrinted, { once: true });
    window.print();
    return () => window.removeEventListener("afterprint", onPrinted);
  }, [onPrinted]);
  return createPortal(
    <section className="keyboard-card">
      <h1>Corvet · {text("shortcuts.title")}</h1>
      {clinic && <p>{clinic}</p>}
      <div className="keyboard-card-groups">
        {Object.entries(shortcutGroups).map(([group, heading]) => (
          <table key={group}>
            <caption>{text(heading)}</caption>
            <tbody>
              {commandsOf(group).map((command) => (
                <tr key={command}>
                  <td>{text(shortcutTable[command].message)}</td>
                  <td>{displayKeys(changed[command] ?? usualKeys(command), language)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        ))}
      </div>
    </section>,
    document.body,
  );
}
