import { ReceivedPlace } from "../received/received-place.tsx";
import { useNavigation, type Screen } from "../state/navigation.ts";
import { useSeenScreens } from "../state/places/seen-screens.ts";
import { Hint } from "../ui/button.tsx";
import { Icon, type IconName } from "../ui/icon.tsx";
import { useText } from "../ui/language/language.ts";
import { CommandTool } from "../ui/keys/command-tool.tsx";
import { useKeys } from "../ui/keys/shortcuts.ts";

const icons: Readonly<Record<Screen, IconName>> = {
  films: "films",
  trends: "trends",
  usg: "usg",
  capture: "capture",
  agreement: "agreement",
  ledger: "ledger",
  settings: "settings",
};

export function Rail() {
  const text = useText();
  const seen = useSeenScreens();
  return (
    <nav className="rail no-print" aria-label={text("common.sections")}>
      {seen.map((screen) => (
        <Place key={screen} screen={screen} />
      ))}
      <span className="spring" />
      <ReceivedPlace />
      <CommandTool command="shortcuts.help" icon="info" />
      <CommandTool command="shortcuts.show" icon="keyboard" />
    </nav>
  );
}

function Place({ screen }: { readonly screen: Screen }) {
  const text = useText();
  const keys = useKeys(`go.${screen}`);
  const isHere = useNavigation((state) => state.screen === screen);
  const go = useNavigation((state) => state.go);
  const name = text(`common.screen_${screen}`);
  return (
    <Hint text={name} keys={keys}>
      <button type="button" className="place" aria-current={isHere ? "page" : undefined} onClick={() => go(screen)}>
        <Icon name={icons[screen]} />
        <span>{name}</span>
      </button>
    </Hint>
  );
}
