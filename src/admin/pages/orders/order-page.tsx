import { isOpen } from '../../../orders/facts/to-order-state.ts';
import type { ShownStorefrontOrder } from '../../../orders/manual-actions/show-order.ts';
import type { Boot } from '../../../http/pages/admin/boot.ts';
import { PageState } from '../../parts/page-state.tsx';
import { texts } from '../../texts/texts.ts';
import { useData } from '../../use-data.ts';
import { useTitle } from '../../use-title.ts';
import { Order } from './order-content.tsx';

const REFRESH_SECONDS = 3;
const REFRESH_SECONDS_WHEN_DONE = 60;

/** One order, from the webhook to its fulfillments. The page refreshes its data while it is open. */
export function OrderPage({ id, boot }: { id: string; boot: Boot }) {
  const loaded = useData<ShownStorefrontOrder>(`/api/orders/${id}`, {
    refreshSeconds: (order) => (order === null || isOpen(order.state) ? REFRESH_SECONDS : REFRESH_SECONDS_WHEN_DONE),
  });
  const title = loaded.data?.name ?? texts.orders.order;
  useTitle(title);
  return (
    <s-page heading={title}>
      <s-link slot="breadcrumb-actions" href="/orders">
        {texts.order.back}
      </s-link>
      <s-button slot="secondary-actions" href={`${boot.shop.adminUrl}/orders/${id}`} target="_top">
        {texts.order.openInStore}
      </s-button>
      <PageState loaded={loaded} rows={12}>
        {(order) => <Order order={order} reload={loaded.reload} />}
      </PageState>
    </s-page>
  );
}
