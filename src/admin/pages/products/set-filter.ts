import { navigate, route } from '../../router.ts';

const FILTERS = ['sku', 'status'] as const;

/** Changes one filter of the products page. The address contains all filters. */
export function setFilter(name: (typeof FILTERS)[number], value: string): void {
  const { query } = route.value;
  const next = new URLSearchParams(FILTERS.flatMap((one) => (query.get(one) ? [[one, query.get(one) ?? '']] : [])));
  if (value === '') next.delete(name);
  else next.set(name, value);
  navigate(`/products?${next}`, { isReplaced: true });
}
