import type { HomeData } from './read-home.ts';

/** The data that the server passes to the merchant's pages with the first document. */
export interface Boot {
  shop: { name: string; domain: string; timeZone: string; adminUrl: string };
  locale: string;
  /** The home page's data, if the first document is the home page. */
  home: HomeData | null;
}
