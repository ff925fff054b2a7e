import type { HomeData } from '../../../http/pages/admin/read-home.ts';
import { toNumericId, formatTime } from '../../format.ts';
import { texts } from '../../texts/texts.ts';

/** Waiting orders with their reasons and next attempts. */
export function WaitingSection({ waiting: { orders } }: { waiting: HomeData['waiting'] }) {
  return (
    <s-section heading={texts.home.waiting} subheading={texts.home.waitingText}>
      {orders.map(({ orderId, name, waits }) => (
        <s-stack key={orderId} gap="small-300">
          <s-link href={`/orders/${toNumericId(orderId)}`}>{name}</s-link>
          {[...new Map(waits.map((wait) => [wait.message, wait.nextAt]))].map(([message, nextAt]) => (
            <s-paragraph key={message} color="subdued">
              {message} {nextAt !== null && texts.home.nextTry(formatTime(nextAt))}
            </s-paragraph>
          ))}
        </s-stack>
      ))}
    </s-section>
  );
}
