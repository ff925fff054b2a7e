import { useEffect, useRef, useState } from 'preact/hooks';
import type { listVariantLinks } from '../../../src/products/links/list-variant-links.ts';
import { ApiError, callApi } from '../../shared/call-api.ts';

type Page = Awaited<ReturnType<typeof listVariantLinks>>;
export type Variant = Page['variants'][number];

/** The variants that have been read so far. `problem` is the app's message, or empty if it did not respond. */
export interface Variants {
  variants: readonly Variant[] | null;
  problem: string | null;
  /** Reads the next page. Null on the last page. */
  readMore: (() => Promise<void>) | null;
}

/** Reads the variants of a product, page by page, or one variant. */
export function useVariants(query: string, language: string): Variants {
  const [variants, setVariants] = useState<readonly Variant[] | null>(null);
  const [next, setNext] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  // A second press while a page is being read must not append the page twice.
  const isReading = useRef(false);
  const read = async (after: string | null): Promise<void> => {
    if (isReading.current) return;
    isReading.current = true;
    const more = after === null ? '' : `&after=${encodeURIComponent(after)}`;
    try {
      const page = await callApi<Page>('GET', `/api/print-links/variants?${query}${more}`, { language });
      setVariants((before) => [...(after === null ? [] : (before ?? [])), ...page.variants]);
      setNext(page.next);
      setProblem(null);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setProblem(error.message);
    } finally {
      isReading.current = false;
    }
  };
  useEffect(() => void read(null), []);
  return { variants, problem, readMore: next === null ? null : () => read(next) };
}
