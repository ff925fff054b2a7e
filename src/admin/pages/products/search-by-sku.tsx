import { useEffect, useState } from 'preact/hooks';
import { texts } from '../../texts/texts.ts';
import { setFilter } from './set-filter.ts';

const TYPING_MS = 300;

/** Finds print links by their exact SKU. The address contains the SKU. */
export function SearchBySku({ sku }: { sku: string }) {
  const [typed, setTyped] = useState(sku);
  useEffect(() => setTyped(sku), [sku]);
  useEffect(() => {
    if (typed === sku) return undefined;
    const timer = setTimeout(() => setFilter('sku', typed.trim()), TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return (
    <s-box padding="base">
      <s-search-field
        label={texts.products.searchSku}
        value={typed}
        onInput={(event) => setTyped(event.currentTarget.value)}
      />
    </s-box>
  );
}
