/** First vertebra of the ruler, and last thoracic vertebra of dogs and cats. */
const firstThoracic = 4;
const lastThoracic = 13;

/** @param index  0 for T4, counted caudally; T13 is followed by L1 */
export function vertebraName(index: number): string {
  const thoracic = firstThoracic + index;
  return thoracic <= lastThoracic ? `T${thoracic}` : `L${thoracic - lastThoracic}`;
}
