/** What of a form is another than it was opened with: what nobody changed is not written over what others did. */
export function changedFields<Fields extends object>(opened: Fields, fields: Fields): Partial<Fields> {
  const names = Object.keys(fields) as (keyof Fields)[];
  const changed = names.filter((name) => fields[name] !== opened[name]);
  return Object.fromEntries(changed.map((name) => [name, fields[name]])) as Partial<Fields>;
}
