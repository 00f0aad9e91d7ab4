/**
 * Replaces `react-style-singleton`, with which the dialogs' scroll lock writes a <style> element: the content security
 * policy forbids that, and this page never scrolls as a whole, so there is nothing to lock.
 */
export function styleSingleton() {
  return () => null;
}
