export function Capture() { return null; }
