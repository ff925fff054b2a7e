/** Reads a stored text from this browser. Returns null for a missing text, or if the browser blocks storage in a cross-site frame. */
export function readStored(name: string): string | null {
  try {
    return window.localStorage.getItem(name);
  } catch {
    return null;
  }
}

/** Stores a text in this browser. Does nothing if the browser blocks storage. */
export function writeStored(name: string, text: string): void {
  try {
    window.localStorage.setItem(name, text);
  } catch {
    // The page keeps the value in memory until it is reloaded.
  }
}
