import type { Session } from "electron";
import { isOwnPage } from "./own-page.ts";

/** Full screen and writing to the clipboard; Chromium requires a user action for both. */
const harmless: ReadonlySet<string> = new Set(["fullscreen", "clipboard-sanitized-write"]);

/** Allows the page the camera (without microphone) and no other device. Other pages get no permissions. */
export function restrictPermissions(
  session: Pick<Session, "setPermissionRequestHandler" | "setPermissionCheckHandler" | "setDevicePermissionHandler">,
): void {
  session.setPermissionRequestHandler((contents, permission, answer, details) => {
    const isCamera =
      permission === "media" &&
      "mediaTypes" in details &&
      details.mediaTypes?.length === 1 &&
      details.mediaTypes[0] === "video";
    answer(
      isOwnPage(contents.getURL()) &&
        isOwnPage(details.requestingUrl) &&
        details.isMainFrame &&
        (isCamera || harmless.has(permission)),
    );
  });
  session.setPermissionCheckHandler((_contents, permission, origin, details) => {
    const isCamera = permission === "media" && details.mediaType === "video";
    return isOwnPage(origin) && (isCamera || harmless.has(permission));
  });
  session.setDevicePermissionHandler(() => false);
}
