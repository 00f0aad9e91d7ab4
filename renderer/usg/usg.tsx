export function Usg() { return null; }
