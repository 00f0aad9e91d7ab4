import { desktopChannels, findChannel } from "./desktop.ts";

/**
 * Channels with `isCoalesced`. The build of the page replaces this module by its value, so that the page loads no
 * schemas.
 */
export const coalescedChannels: readonly string[] = desktopChannels.filter((name) => findChannel(name)?.isCoalesced);
