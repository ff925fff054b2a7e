/** What `find` finds for a key, asked once: whoever asks meanwhile or later gets the same, a failure too. */
export function once<Found>(
  known: Map<string, Promise<Found>>,
  key: string,
  find: () => Promise<Found>,
): Promise<Found> {
  const found = known.get(key) ?? find();
  known.set(key, found);
  return found;
}
