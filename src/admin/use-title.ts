import { useEffect } from 'preact/hooks';

/** Sets the document's title to the heading of the page. */
export function setTitle(heading: string): void {
  document.title = heading === '' || heading === 'Platen' ? 'Platen' : `${heading} · Platen`;
}

/** Updates the document's title on a page whose heading comes from its data, and so changes after the navigation. */
export function useTitle(heading: string): void {
  useEffect(() => setTitle(heading), [heading]);
}
