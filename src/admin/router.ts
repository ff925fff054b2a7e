import { signal } from '@preact/signals';
import { hasUnsavedInput, pendingNavigation } from './unsaved-input.ts';

/** The parameters that identify the admin's frame. Links within the app preserve them, so that a reload works. */
const FRAME_PARAMETERS = ['embedded', 'shop', 'host', 'locale'];

interface Route {
  path: string;
  query: URLSearchParams;
}

/** The address of the current page. */
export const route = signal<Route>({ path: '/', query: new URLSearchParams() });

/** Sets the current page from an address. On the server, this is the request's address. In the browser, it is the page's address. */
export function setRoute(address: string): void {
  const { pathname, searchParams } = new URL(address, 'https://app.invalid');
  route.value = { path: pathname.replace(/(?<=.)\/$/, ''), query: searchParams };
}

/** Shows another page of the app. Asks first if there are unsaved changes. Adds the frame parameters that the address lacks. */
export function navigate(address: string, { isReplaced = false } = {}): void {
  const target = new URL(address, window.location.href);
  const here = new URLSearchParams(window.location.search);
  for (const name of FRAME_PARAMETERS) {
    const value = here.get(name);
    if (value !== null && !target.searchParams.has(name)) target.searchParams.set(name, value);
  }
  const href = `${target.pathname}${target.search}`;
  const replace = (): void => {
    window.history.replaceState({ entry }, '', href);
    setRoute(href);
  };
  // Filters replace the address. On a page without a form, a filter must apply without waiting for a confirmation.
  if (isReplaced) return document.querySelector('form[data-save-bar]') ? confirmLeaving(replace) : replace();
  confirmLeaving(() => {
    entry += 1;
    window.history.pushState({ entry }, '', href);
    setRoute(href);
    window.scrollTo(0, 0);
  });
}

/** The position of the current page in the history of this tab. */
let entry = 0;
/** Handles the next popstate event if this code caused it. Null if the user caused it. */
let handleNextPopState: (() => void) | null = null;

/** Handles the browser's Back and Forward buttons. While a form may have unsaved changes, restores the address until the user confirms. */
function handlePopState(event: PopStateEvent): void {
  const to = (event.state as { entry?: number } | null)?.entry ?? 0;
  const show = (): void => {
    entry = to;
    setRoute(window.location.href);
  };
  if (handleNextPopState !== null) {
    const next = handleNextPopState;
    handleNextPopState = null;
    return next();
  }
  const steps = to - entry;
  if (steps === 0 || !(hasUnsavedInput() || document.querySelector('form[data-save-bar]'))) return show();
  handleNextPopState = () =>
    confirmLeaving(() => {
      handleNextPopState = show;
      window.history.go(steps);
    });
  window.history.go(-steps);
}

/**
 * If a form has unsaved input, asks whether to leave. For forms with the save bar, the admin asks: if the user stays, its promise is
 * rejected or never settles.
 */
function confirmLeaving(leave: () => void): void {
  if (hasUnsavedInput()) pendingNavigation.value = () => confirmDiscard(leave);
  else confirmDiscard(leave);
}

function confirmDiscard(leave: () => void): void {
  if (typeof shopify === 'undefined') return leave();
  shopify.saveBar.leaveConfirmation().then(leave, () => undefined);
}

/** Handles navigation through the browser's history, the admin's menu, and links within the page. */
export function handleNavigation(): void {
  setRoute(window.location.href);
  entry = (window.history.state as { entry?: number } | null)?.entry ?? 0;
  window.addEventListener('popstate', handlePopState);
  document.addEventListener('shopify:navigate', (event) => {
    if (event.target instanceof Element) navigateToLink(event.target);
  });
  document.addEventListener('click', (event) => {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
    const link = event.composedPath().find((one) => one instanceof Element && one.hasAttribute('href'));
    if (!(link instanceof Element)) return;
    if (navigateToLink(link)) event.preventDefault();
  });
}

/** Shows the page that a link leads to. Returns false if the link leads out of the app or its frame. */
function navigateToLink(link: Element): boolean {
  const href = link.getAttribute('href') ?? '';
  const target = link.getAttribute('target') ?? '';
  if (!/^\/(?!\/)/.test(href) || !['', 'auto', '_self'].includes(target)) return false;
  navigate(href);
  return true;
}
