/** Calls `find` only once for each key. Concurrent and later callers get the same result, or the same failure. */
export function callOnce<Found>(
  known: Map<string, Promise<Found>>,
  key: string,
  find: () => Promise<Found>,
): Promise<Found> {
  const found = known.get(key) ?? find();
  known.set(key, found);
  return found;
}
