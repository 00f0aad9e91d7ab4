/** Width of a letter of a label on the film [CSS px]: the face is monospaced, so no text is measured. */
export const labelCharPx = 6.9;
