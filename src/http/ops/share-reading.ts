/** Reads once for all who ask while a reading is under way, as the gauges of one scrape do; null when it fails. */
export function shareReading<T>(read: () => Promise<T>): () => Promise<T | null> {
  let reading: Promise<T | null> | null = null;
  return () => {
    reading ??= read()
      .catch(() => null)
      .finally(() => (reading = null));
    return reading;
  };
}
