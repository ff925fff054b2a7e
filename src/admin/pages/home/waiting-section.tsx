import { useState } from 'preact/hooks';
import type { HomeData } from '../../../http/pages/admin/read-home.ts';
import { toNumericId, formatTime } from '../../format.ts';
import { texts } from '../../texts/texts.ts';
import { readOrderAndDescribeCost } from '../orders/describe-cost.ts';
import { OrderActions, ResultBanner, type ActionResult } from '../orders/order-actions.tsx';

/** Waiting orders with their reasons and next attempts. */
export function WaitingSection({
  waiting: { orders },
  reload,
}: {
  waiting: HomeData['waiting'];
  reload: () => Promise<void>;
}) {
  const [result, setResult] = useState<ActionResult | null>(null);
  const onResult = async (latest: ActionResult): Promise<void> => {
    setResult(latest);
    await reload();
  };
  return (
    <s-section heading={texts.home.waiting} subheading={texts.home.waitingText}>
      {result && <ResultBanner result={result} />}
      {orders.map(({ orderId, name, waits, isEndedByApproval }) => (
        <s-stack key={orderId} gap="small-300">
          <s-link href={`/orders/${toNumericId(orderId)}`}>{name}</s-link>
          {[...new Map(waits.map((wait) => [wait.message, wait.nextAt]))].map(([message, nextAt]) => (
            <s-paragraph key={message} color="subdued">
              {message} {nextAt !== null && texts.home.nextTry(formatTime(nextAt))}
            </s-paragraph>
          ))}
          {isEndedByApproval && (
            <OrderActions
              id={`waiting-${toNumericId(orderId)}`}
              orderId={orderId}
              name={name}
              actions={['approve']}
              readCost={(action) => readOrderAndDescribeCost(orderId, action, null)}
              onResult={onResult}
            />
          )}
        </s-stack>
      ))}
    </s-section>
  );
}
