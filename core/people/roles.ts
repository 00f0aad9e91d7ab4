export const roles = ["administrator", "veterinarian", "assistant"] as const;
export type Role = (typeof roles)[number];

/**
 * Permissions: `look` at films, patients and results; `prepare` a film for reading (open, assign, photograph) or screen
 * blood values; `share` results; `sign` readings; `remove` films; see the `account`; `administer` the practice's
 * settings, users, keys, packs and backups, and read the audit trail.
 */
const permissions = ["look", "prepare", "share", "sign", "remove", "account", "administer"] as const;
export type Permission = (typeof permissions)[number];

const permissionsOfRole: Readonly<Record<Role, readonly Permission[]>> = {
  assistant: ["look", "prepare", "share"],
  veterinarian: ["look", "prepare", "share", "sign", "remove", "account"],
  administrator: permissions,
};

export function roleHasPermission(role: Role, permission: Permission): boolean {
  return permissionsOfRole[role].includes(permission);
}
