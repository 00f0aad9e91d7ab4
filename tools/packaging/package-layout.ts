import path from "node:path";

export type PackagePlatform = "linux" | "darwin" | "win32";

export type PackageLayout = { readonly folder: string; readonly resources: string; readonly executable: string };

const folderNames = { linux: "linux", darwin: "mac", win32: "win" } as const;

/** Paths of electron-builder's output: `linux-unpacked`, `win-arm64-unpacked`, `mac-arm64/Corvet.app`. */
export function packageLayout(output: string, platform: PackagePlatform, arch: string): PackageLayout {
  const suffix = arch === "x64" ? "" : `-${arch}`;
  const folder = path.join(output, `${folderNames[platform]}${suffix}${platform === "darwin" ? "" : "-unpacked"}`);
  if (platform === "darwin") {
    const contents = path.join(folder, "Corvet.app", "Contents");
    return { folder, resources: path.join(contents, "Resources"), executable: path.join(contents, "MacOS", "Corvet") };
  }
  return {
    folder,
    resources: path.join(folder, "resources"),
    executable: path.join(folder, platform === "win32" ? "Corvet.exe" : "corvet-desktop"),
  };
}

export function isPackagePlatform(platform: string): platform is PackagePlatform {
  return platform in folderNames;
}
