/**
 * Answers may come in another order than they were asked for: what is returned begins a question, or drops the one
 * under way, and says later whether that question is still the newest.
 */
export function newestQuestion(): () => () => boolean {
  let newest = 0;
  return () => {
    const own = ++newest;
    return () => own === newest;
  };
}
