export function Trends() { return null; }
