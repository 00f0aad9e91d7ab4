import { desktopChannels, findChannel } from "./desktop.ts";

/** Channels with `isCoalesced`. The page's build replaces this module by its value; the page loads no schemas. */
export const coalescedChannels: readonly string[] = desktopChannels.filter((name) => findChannel(name)?.isCoalesced);
