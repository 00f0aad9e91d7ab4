import type { DesktopBridge } from "../../../core/contract/desktop.ts";
import type { Connection } from "../../state/connection.ts";

declare global {
  interface Window {
    /** Put there by the preload in Electron; absent in a browser. */
    readonly corvet?: DesktopBridge;
  }
}

export function bridgeConnection(bridge: DesktopBridge): Connection {
  return {
    kind: "electron",
    call: (channel, request) => bridge.calls[channel](request),
    subscribe: (listener, onLive) => {
      onLive(true);
      return bridge.subscribe(listener);
    },
  };
}
