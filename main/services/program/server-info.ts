import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import type { ServerState } from "../../../core/contract/desktop/program.ts";
import { transaction } from "../../store/engines/engine.ts";
import { getSetting, hostNamesSetting, plainHttpSetting, saveSetting, type Changes } from "../../store/settings.ts";
import type { DesktopContext } from "../desktop/desktop-context.ts";

export type ServerPlace = {
  readonly url: string;
  readonly authorityFile: string;
  readonly renewal: { readonly at: Date } | null;
};

/** Changes apply at the next start. */
export type ServerSettings = { readonly hostNames: readonly string[]; readonly isPlainHttpAllowed: boolean };

export async function getServerSettings(context: DesktopContext): Promise<ServerSettings> {
  return {
    hostNames: await getSetting(context.db, hostNamesSetting),
    isPlainHttpAllowed: await getSetting(context.db, plainHttpSetting),
  };
}

export async function getServerState(
  context: DesktopContext,
  place: ServerPlace,
  startedWith: ServerSettings,
): Promise<ServerState> {
  const settings = await getServerSettings(context);
  return {
    url: place.url,
    hostNames: [...settings.hostNames],
    isPlainHttpAllowed: settings.isPlainHttpAllowed,
    needsRestart: JSON.stringify(settings) !== JSON.stringify(startedWith),
    authority: describeAuthority(place.authorityFile),
    renewal: place.renewal && { at: place.renewal.at.toISOString() },
  };
}

export async function configureServer(
  { db }: DesktopContext,
  { hostNames, isPlainHttpAllowed }: Changes<ServerSettings>,
): Promise<void> {
  await transaction(db, async () => {
    if (hostNames !== undefined) await saveSetting(db, hostNamesSetting, [...new Set(hostNames)]);
    if (isPlainHttpAllowed !== undefined) await saveSetting(db, plainHttpSetting, isPlainHttpAllowed);
  });
}

function describeAuthority(file: string): ServerState["authority"] {
  const certificate = new X509Certificate(readFileSync(file));
  return {
    fingerprintSha256: certificate.fingerprint256,
    notAfter: certificate.validToDate.toISOString(),
    file,
  };
}
