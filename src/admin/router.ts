import { signal } from '@preact/signals';
import { hasUnsavedInput, pendingNavigation } from './unsaved.ts';

/** The parameters that identify the admin's frame. Links within the app preserve them, so that a reload works. */
const FRAME = ['embedded', 'shop', 'host', 'locale'];

interface Place {
  path: string;
  query: URLSearchParams;
}

/** The address of the current page. */
export const place = signal<Place>({ path: '/', query: new URLSearchParams() });

/** Sets the current page from an address: that of the request on the server, and that of the page in the browser. */
export function setPlace(address: string): void {
  const { pathname, searchParams } = new URL(address, 'https://app.invalid');
  place.value = { path: pathname.replace(/(?<=.)\/$/, ''), query: searchParams };
}

/** Shows another page of the app. Asks first if there are unsaved changes. Adds the frame parameters that the address lacks. */
export function navigate(address: string, { isReplaced = false } = {}): void {
  const target = new URL(address, window.location.href);
  const here = new URLSearchParams(window.location.search);
  for (const name of FRAME) {
    const value = here.get(name);
    if (value !== null && !target.searchParams.has(name)) target.searchParams.set(name, value);
  }
  const href = `${target.pathname}${target.search}`;
  const replace = (): void => {
    window.history.replaceState({ entry }, '', href);
    setPlace(href);
  };
  // Filters replace the address. On a page without a form, this must not wait for a confirmation.
  if (isReplaced) return document.querySelector('form[data-save-bar]') ? confirmLeaving(replace) : replace();
  confirmLeaving(() => {
    entry += 1;
    window.history.pushState({ entry }, '', href);
    setPlace(href);
    window.scrollTo(0, 0);
  });
}

/** The position of the current page in the history of this tab. */
let entry = 0;
/** Handles the next popstate event if this code caused it. Null if the user caused it. */
let afterReturn: (() => void) | null = null;

/** Handles the browser's Back and Forward buttons. While a form may have unsaved changes, restores the address until the user confirms. */
function followHistory(event: PopStateEvent): void {
  const to = (event.state as { entry?: number } | null)?.entry ?? 0;
  const show = (): void => {
    entry = to;
    setPlace(window.location.href);
  };
  if (afterReturn !== null) {
    const next = afterReturn;
    afterReturn = null;
    return next();
  }
  const steps = to - entry;
  if (steps === 0 || !(hasUnsavedInput() || document.querySelector('form[data-save-bar]'))) return show();
  afterReturn = () =>
    confirmLeaving(() => {
      afterReturn = show;
      window.history.go(steps);
    });
  window.history.go(-steps);
}

/**
 * If a form has unsaved input, asks whether to leave. For forms with the save bar, the admin asks: if the user stays, its promise is
 * rejected or never settles.
 */
function confirmLeaving(leave: () => void): void {
  if (hasUnsavedInput()) pendingNavigation.value = () => confirmUnsaved(leave);
  else confirmUnsaved(leave);
}

function confirmUnsaved(leave: () => void): void {
  if (typeof shopify === 'undefined') return leave();
  shopify.saveBar.leaveConfirmation().then(leave, () => undefined);
}

/** Handles navigation through the browser's history, the admin's menu, and links within the page. */
export function followLinks(): void {
  setPlace(window.location.href);
  entry = (window.history.state as { entry?: number } | null)?.entry ?? 0;
  window.addEventListener('popstate', followHistory);
  document.addEventListener('shopify:navigate', (event) => {
    if (event.target instanceof Element) followLink(event.target);
  });
  document.addEventListener('click', (event) => {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
    const link = event.composedPath().find((one) => one instanceof Element && one.hasAttribute('href'));
    if (!(link instanceof Element)) return;
    if (followLink(link)) event.preventDefault();
  });
}

/** Shows the page that a link leads to. Returns false if the link leads out of the app or its frame. */
function followLink(link: Element): boolean {
  const href = link.getAttribute('href') ?? '';
  const target = link.getAttribute('target') ?? '';
  if (!/^\/(?!\/)/.test(href) || !['', 'auto', '_self'].includes(target)) return false;
  navigate(href);
  return true;
}
