import '@shopify/ui-extensions/preact';
import { render } from 'preact';
import type { Api } from '@shopify/ui-extensions/admin.product-details.block.render';
import { toNumericId } from '../../shared/call-api.ts';
import { PrintingBlock } from './printing-block.tsx';

declare const shopify: Api;

export default async (): Promise<void> => {
  const query = `productId=${toNumericId(shopify.data.selected[0]?.id ?? '')}`;
  render(<PrintingBlock query={query} i18n={shopify.i18n} />, document.body);
};
