import "../ui/styles/base.css";
import "../ui/styles/controls.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { QueryClientProvider } from "@tanstack/react-query";
import { Tooltip } from "radix-ui";
import { setConnection, type Connection } from "../state/connection.ts";
import { queryClient } from "../state/queries.ts";
import { httpConnection, signIn } from "./connection/http-connection.ts";
import { ToastProvider } from "../ui/notes/toast-slot.tsx";
import { Shell } from "./shell.tsx";
import type { DesktopBridge } from "../../core/contract/desktop/events.ts";

const root = document.getElementById("root");
if (!root) throw new Error("the page has no #root element");

if (window.corvet) setConnection(bridgeConnection(window.corvet));
else {
  setConnection(httpConnection);
  // Opening a new sign-in link in an open page changes only the fragment and does not reload.
  window.addEventListener("hashchange", () => void signIn().catch(() => undefined));
  // The page shows that the program is unreachable.
  await signIn().catch(() => undefined);
}

createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <Tooltip.Provider delayDuration={400}>
        <ToastProvider>
          <Shell />
        </ToastProvider>
      </Tooltip.Provider>
    </QueryClientProvider>
  </StrictMode>,
);

declare global {
  interface Window {
    /** Set by the preload script in Electron; absent in a browser. */
    readonly corvet?: DesktopBridge;
  }
}

function bridgeConnection(bridge: DesktopBridge): Connection {
  return {
    kind: "electron",
    call: (channel, request) => bridge.calls[channel](request),
    subscribe: (listener, onLive) => {
      onLive(true);
      return bridge.subscribe(listener);
    },
  };
}
