/**
 * Replaces `react-style-singleton`, with which the dialogs' scroll lock injects a <style> element. The content security
 * policy forbids that, and the page never scrolls as a whole, so no lock is needed.
 */
export function styleSingleton() {
  return () => null;
}
