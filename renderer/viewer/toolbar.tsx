import { Popover } from "radix-ui";
import { IconButton } from "../ui/button.tsx";
import { Slider, Switch } from "../ui/field.tsx";
import type { IconName } from "../ui/icon.tsx";
import { useText } from "../ui/language.ts";
import type { Message } from "../ui/message.ts";
import { viewerMessages } from "../ui/messages/viewer.ts";
import { runCommand, shortcutTable, useCommands, useKeys, type Command } from "../ui/shortcuts.ts";
import { useViewer } from "./viewer-slice.ts";

const zoomStep = 1.25;

/** Tools of the viewer, each with its keys. */
export function Toolbar({ hasOriginal }: { readonly hasOriginal: boolean }) {
  const text = useText();
  useViewerCommands();
  const { isInverted, sharpen, overlay } = useViewer();
  return (
    <div className="toolbar" role="toolbar" aria-label={text(viewerMessages.tools)}>
      <Tool command="view.fit" icon="fit" />
      <Tool command="view.actual" icon="actual" />
      <Tool command="view.zoomIn" icon="zoomIn" />
      <span className="tool-gap" />
      <Tool command="view.windowAuto" icon="window" />
      <Tool command="view.windowReset" icon="retry" />
      <Tool command="view.invert" icon="invert" isPressed={isInverted} />
      <Tool command="view.sharpen" icon="sharpen" isPressed={sharpen > 0} />
      <span className="tool-gap" />
      <Tool command="view.rotate" icon="rotate" />
      <Tool command="view.flip" icon="flip" />
      <Tool command="view.full" icon="full" />
      <span className="tool-gap" />
      <Tool command="overlay.toggle" icon="eye" isPressed={overlay.isShown} />
      <Tool command="overlay.votes" icon="votes" isPressed={overlay.hasVotes} />
      {hasOriginal && <Tool command="overlay.original" icon="compare" isPressed={overlay.hasOriginal} />}
      <OverlayOptions />
    </div>
  );
}

function Tool({ command, icon, isPressed }: { readonly command: Command; readonly icon: IconName; readonly isPressed?: boolean }) {
  const text = useText();
  const keys = useKeys(command);
  const message: Message = shortcutTable[command].message;
  return <IconButton icon={icon} label={text(message)} keys={keys} {...(isPressed !== undefined && { isPressed })} onClick={() => runCommand(command)} />;
}

function OverlayOptions() {
  const text = useText();
  const overlay = useViewer((state) => state.overlay);
  const setOverlay = useViewer((state) => state.setOverlay);
  return (
    <Popover.Root>
      <Popover.Trigger asChild>
        <IconButton icon="settings" label={text(viewerMessages.overlay)} />
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content className="popover overlay-options" sideOffset={6} aria-label={text(viewerMessages.overlay)}>
          <Switch label={text(viewerMessages.showOverlay)} isOn={overlay.isShown} onChange={(isShown) => setOverlay({ isShown })} />
          <Switch label={text(viewerMessages.showLabels)} isOn={overlay.hasLabels} onChange={(hasLabels) => setOverlay({ hasLabels })} />
          <Switch label={text(viewerMessages.showVotes)} isOn={overlay.hasVotes} onChange={(hasVotes) => setOverlay({ hasVotes })} />
          <span className="field-label">{text(viewerMessages.opacity)}</span>
          <Slider label={text(viewerMessages.opacity)} value={overlay.opacity} min={0.2} max={1} step={0.05} onChange={(opacity) => setOverlay({ opacity })} />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
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
    "view.windowAuto": () => viewer().autoWindow(),
    "view.invert": () => viewer().toggleInvert(),
    "view.sharpen": () => viewer().toggleSharpen(),
    "view.rotate": () => viewer().rotate(),
    "view.flip": () => viewer().flip(),
    "view.full": toggleFullScreen,
    "overlay.toggle": () => viewer().setOverlay({ isShown: !viewer().overlay.isShown }),
    "overlay.labels": () => viewer().setOverlay({ hasLabels: !viewer().overlay.hasLabels }),
    "overlay.votes": () => viewer().setOverlay({ hasVotes: !viewer().overlay.hasVotes }),
    "overlay.original": () => viewer().setOverlay({ hasOriginal: !viewer().overlay.hasOriginal }),
  });
}

function toggleFullScreen(): void {
  if (document.fullscreenElement) void document.exitFullscreen();
  else void document.querySelector(".viewer")?.requestFullscreen();
}
