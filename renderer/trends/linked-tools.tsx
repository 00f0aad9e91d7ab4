import { useMagnifier } from "../film/magnifier/magnifier-switch.ts";
import { TurnMenu } from "../film/turn-menu.tsx";
import { tilted, turnDeg } from "../film/view.ts";
import { WindowMenu } from "../film/window/window-menu.tsx";
import { wholeRange } from "../film/window/window-level.ts";
import { CommandTool } from "../ui/keys/command-tool.tsx";
import type { Linked } from "./linked-view.ts";

export function LinkedTools({
  linked: { view, isInverted, isSharpened },
  onChange,
}: {
  readonly linked: Linked;
  readonly onChange: (change: Partial<Linked>) => void;
}) {
  const hasMagnifier = useMagnifier((state) => state.isOn);
  return (
    <>
      <CommandTool command="view.fit" icon="fit" />
      <CommandTool command="view.zoomOut" icon="zoomOut" />
      <CommandTool command="view.zoomIn" icon="zoomIn" />
      <span className="tool-gap" />
      <WindowMenu onApply={(preset) => onChange({ preset, window: wholeRange })} />
      <CommandTool command="view.invert" icon="invert" isPressed={isInverted} />
      <CommandTool command="view.sharpen" icon="sharpen" isPressed={isSharpened} />
      <span className="tool-gap" />
      <CommandTool command="view.rotateLeft" icon="rotateLeft" />
      <CommandTool command="view.rotate" icon="rotate" />
      <TurnMenu
        deg={turnDeg(view)}
        onTilt={(byDeg) => onChange({ view: tilted(view, byDeg) })}
        onStraighten={() => onChange({ view: { ...view, quarterTurns: 0, tiltDeg: 0 } })}
      />
      <CommandTool command="view.flip" icon="flip" />
      <span className="tool-gap" />
      <CommandTool command="view.magnifier" icon="magnifier" isPressed={hasMagnifier} />
    </>
  );
}
