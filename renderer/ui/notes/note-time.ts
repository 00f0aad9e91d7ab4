const noteShownMs = 6000;

type Note = { readonly run: () => unknown; timer?: ReturnType<typeof setTimeout> };

const notes = new Set<Note>();
let isHeld = false;

/** Runs a function when the display time of a note shown now has passed. @returns function that cancels it */
export function afterNote(run: Note["run"]): () => void {
  const note: Note = { run };
  notes.add(note);
  if (!isHeld) start(note);
  return () => {
    clearTimeout(note.timer);
    notes.delete(note);
  };
}

/** Pauses all notes while the pointer or the focus is on one; afterwards each has its full time again. */
export function pauseNotes(hold: boolean): void {
  if (hold === isHeld) return;
  isHeld = hold;
  for (const note of notes) {
    clearTimeout(note.timer);
    if (!hold) start(note);
  }
}

export async function endNotes(): Promise<void> {
  await Promise.all([...notes].map(end));
}

function start(note: Note): void {
  note.timer = setTimeout(() => void end(note), noteShownMs);
}

async function end(note: Note): Promise<void> {
  clearTimeout(note.timer);
  notes.delete(note);
  await note.run();
}
