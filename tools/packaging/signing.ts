import type { PackagePlatform } from "./package-layout.ts";

/** Of each list, one group must be set completely. electron-builder reads the variables itself. */
const neededForRelease: Readonly<Record<PackagePlatform, readonly (readonly (readonly string[])[])[]>> = {
  win32: [
    [
      ["WIN_CSC_LINK", "WIN_CSC_KEY_PASSWORD"],
      ["CSC_LINK", "CSC_KEY_PASSWORD"],
    ],
  ],
  darwin: [
    [["CSC_LINK", "CSC_KEY_PASSWORD"], ["CSC_NAME"]],
    [
      ["APPLE_API_KEY", "APPLE_API_KEY_ID", "APPLE_API_ISSUER"],
      ["APPLE_ID", "APPLE_APP_SPECIFIC_PASSWORD", "APPLE_TEAM_ID"],
      ["APPLE_KEYCHAIN", "APPLE_KEYCHAIN_PROFILE"],
    ],
  ],
  // Linux packages are not signed themselves; their checksums and the update statement are.
  linux: [],
};

export function missingSignatures(
  platform: PackagePlatform,
  environment: Readonly<Record<string, string | undefined>>,
): string[] {
  const isThere = (name: string) => (environment[name] ?? "") !== "";
  return neededForRelease[platform]
    .filter((groups) => !groups.some((group) => group.every(isThere)))
    .map((groups) => `set ${groups.map((group) => group.join(" and ")).join(", or ")}`);
}
