/** Fields of a form that the user changed; unchanged fields do not overwrite the edits of others. */
export function changedFields<Fields extends object>(opened: Fields, fields: Fields): Partial<Fields> {
  const names = Object.keys(fields) as (keyof Fields)[];
  const changed = names.filter((name) => fields[name] !== opened[name]);
  return Object.fromEntries(changed.map((name) => [name, fields[name]])) as Partial<Fields>;
}
