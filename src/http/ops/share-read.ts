/**
 * Shares one read among all callers that arrive while it is running, such as the gauges in one scrape. Resolves to null if the read fails.
 */
export function shareRead<T>(read: () => Promise<T>): () => Promise<T | null> {
  let reading: Promise<T | null> | null = null;
  return () => {
    reading ??= read()
      .catch(() => null)
      .finally(() => (reading = null));
    return reading;
  };
}
