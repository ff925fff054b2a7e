import { useEffect } from 'preact/hooks';

/** Gives the document the title of the page that it shows. */
export function setTitle(heading: string): void {
  document.title = heading === '' || heading === 'Platen' ? 'Platen' : `${heading} · Platen`;
}

/** For a page whose heading comes from its data, and therefore changes after a navigation. */
export function useTitle(heading: string): void {
  useEffect(() => setTitle(heading), [heading]);
}
