import { navigate, route } from '../../router.ts';

/** The views of the activity page. The address names the current view. */
export const VIEWS = ['events', 'polls', 'backfills', 'costs', 'privacy'] as const;
export type View = (typeof VIEWS)[number];

export function getCurrentView(): View {
  return VIEWS.find((view) => view === route.value.query.get('view')) ?? 'events';
}

export function toViewHref(view: View): string {
  return `/activity?view=${view}`;
}

/** Returns the filters in the address that have one of these names. */
export function readFilters(names: readonly string[]): URLSearchParams {
  return new URLSearchParams([...route.value.query].filter(([name, value]) => names.includes(name) && value !== ''));
}

/** Sets one filter in the address and keeps the view's other filters. An empty value removes the filter. */
export function setFilter(view: View, names: readonly string[], [name, value]: [string, string]): void {
  const next = readFilters(names);
  if (value === '') next.delete(name);
  else next.set(name, value);
  navigate(`/activity?${new URLSearchParams([['view', view], ...next])}`, { isReplaced: true });
}
