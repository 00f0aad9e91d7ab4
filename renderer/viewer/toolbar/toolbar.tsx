import { toggleMagnifier, useMagnifier } from "../../film/magnifier/magnifier-switch.ts";
import { TurnMenu } from "../../film/turn-menu.tsx";
import { turnDeg } from "../../film/view.ts";
import { WindowMenu } from "../../film/window/window-menu.tsx";
import { saveOwnWindow } from "../../film/window/window-presets.ts";
import { useText } from "../../ui/language/language.ts";
import { CommandTool } from "../../ui/keys/command-tool.tsx";
import { useCommands } from "../../ui/keys/shortcuts.ts";
import { toggleCrosshair } from "../stage/crosshair.tsx";
import { stepOpacity, togglePart, useOverlay } from "../../film/overlay-preferences.ts";
import { OverlayOptions } from "./overlay-options.tsx";
import { useProbe } from "../stage/probe-slice.ts";
import { useViewer } from "../viewer-slice.ts";
import { useSyncExternalStore } from "react";
import { attempt } from "../../state/faults.ts";

const zoomStep = 1.25;

export function Toolbar({ hasOriginal }: { readonly hasOriginal: boolean }) {
  const text = useText();
  useViewerCommands();
  const isInverted = useViewer((state) => state.isInverted);
  const isSharpened = useViewer((state) => state.sharpen > 0);
  const hasCrosshair = useProbe((state) => state.hasCrosshair);
  const hasMagnifier = useMagnifier((state) => state.isOn);
  const isFull = useIsFullScreen();
  const deg = useViewer((state) => turnDeg(state.view));
  const overlay = useOverlay();
  return (
    <div className="toolbar" role="toolbar" aria-label={text("viewer.tools")}>
      <CommandTool command="view.fit" icon="fit" />
      <CommandTool command="view.actual" icon="actual" />
      <CommandTool command="view.zoomOut" icon="zoomOut" />
      <CommandTool command="view.zoomIn" icon="zoomIn" />
      <span className="tool-gap" />
      <WindowMenu
        onApply={(preset) => useViewer.getState().applyPreset(preset)}
        onKeep={() => saveOwnWindow(useViewer.getState().window)}
      />
      <CommandTool command="view.invert" icon="invert" isPressed={isInverted} />
      <CommandTool command="view.sharpen" icon="sharpen" isPressed={isSharpened} />
      <span className="tool-gap" />
      <CommandTool command="view.rotateLeft" icon="rotateLeft" />
      <CommandTool command="view.rotate" icon="rotate" />
      <TurnMenu deg={deg} onTilt={useViewer.getState().tilt} onStraighten={useViewer.getState().straighten} />
      <CommandTool command="view.flip" icon="flip" />
      <span className="tool-gap" />
      <CommandTool command="view.magnifier" icon="magnifier" isPressed={hasMagnifier} />
      <CommandTool command="view.crosshair" icon="crosshair" isPressed={hasCrosshair} />
      <CommandTool command="overlay.toggle" icon="eye" isPressed={overlay.isShown} />
      <CommandTool command="overlay.votes" icon="votes" isPressed={overlay.hasVotes} />
      {hasOriginal && <CommandTool command="overlay.original" icon="compare" isPressed={overlay.hasOriginal} />}
      <OverlayOptions />
      <span className="spring" />
      <CommandTool command="view.full" icon="full" isPressed={isFull} />
    </div>
  );
}

function useViewerCommands(): void {
  const viewer = useViewer.getState;
  useCommands({
    "view.fit": () => viewer().fit(),
    "view.actual": () => viewer().actualSize(),
    "view.zoomIn": () => viewer().zoomBy(zoomStep),
    "view.zoomOut": () => viewer().zoomBy(1 / zoomStep),
    "view.windowReset": () => viewer().resetWindow(),
    "view.invert": () => viewer().toggleInvert(),
    "view.sharpen": () => viewer().toggleSharpen(),
    "view.rotate": () => viewer().rotate(1),
    "view.rotateLeft": () => viewer().rotate(-1),
    "view.turnLeft": () => viewer().tilt(-1),
    "view.turnRight": () => viewer().tilt(1),
    "view.magnifier": toggleMagnifier,
    "view.flip": () => viewer().flip(),
    "view.crosshair": toggleCrosshair,
    "view.full": toggleFullScreen,
    "overlay.toggle": () => togglePart("isShown"),
    "overlay.labels": () => togglePart("hasLabels"),
    "overlay.votes": () => togglePart("hasVotes"),
    "overlay.original": () => togglePart("hasOriginal"),
    "overlay.scaleBar": () => togglePart("hasScaleBar"),
    "overlay.fainter": () => stepOpacity(-1),
    "overlay.stronger": () => stepOpacity(1),
  });
}

/** Shows the whole page, since menus, dialogs and tooltips lie outside the viewer element. */
function toggleFullScreen(): void {
  attempt(() =>
    document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen(),
  );
}

function useIsFullScreen(): boolean {
  return useSyncExternalStore(subscribe, () => document.fullscreenElement !== null);
}

function subscribe(onChange: () => void): () => void {
  document.addEventListener("fullscreenchange", onChange);
  return () => document.removeEventListener("fullscreenchange", onChange);
}
