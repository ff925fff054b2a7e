import { useState } from 'preact/hooks';
import type { HomeData } from '../../../http/pages/admin/read-home.ts';
import { toNumericId, formatTime } from '../../format.ts';
import { toHoldName } from '../../parts/to-hold-name.ts';
import { texts } from '../../texts/texts.ts';
import { readOrderAndDescribeCost } from '../orders/describe-cost.ts';
import { HoldChoices } from '../orders/hold-choices.tsx';
import { ResultBanner, type ActionResult } from '../orders/order-actions.tsx';
import { ConnectionRows, type ConnectionRow } from './connection-rows.tsx';

interface Props {
  home: HomeData;
  /** The connections with a problem. */
  problems: readonly ConnectionRow[];
  reload: () => Promise<void>;
}

/** The problems that a person must resolve: connections, holds by reason, and orders whose products are not linked. */
export function AttentionSection({ home: { holds, unlinked }, problems, reload }: Props) {
  const [result, setResult] = useState<ActionResult | null>(null);
  const onResult = async (latest: ActionResult): Promise<void> => {
    setResult(latest);
    await reload();
  };
  const isNothing = problems.length === 0 && holds.length === 0 && unlinked.notLinked === 0 && unlinked.linked === 0;
  if (isNothing)
    return (
      <s-section heading={texts.home.allGood}>
        {result && <ResultBanner result={result} />}
        <s-paragraph color="subdued">{texts.home.allGoodText}</s-paragraph>
      </s-section>
    );
  return (
    <s-section heading={texts.home.attention}>
      <s-stack gap="base">
        {result && <ResultBanner result={result} />}
        {problems.length > 0 && <ConnectionRows rows={problems} />}
        {holds.map((group) => (
          <HoldGroup key={group.code} group={group} onResult={onResult} />
        ))}
        {unlinked.notLinked > 0 && <UnlinkedNotice text={texts.home.unlinked(unlinked.notLinked)} />}
        {unlinked.linked > 0 && <UnlinkedNotice text={texts.home.linkedNow(unlinked.linked)} />}
      </s-stack>
    </s-section>
  );
}

/** The orders that are held for one reason. The buttons apply to the oldest of them. */
function HoldGroup({
  group: { code, orders, since, oldest },
  onResult,
}: {
  group: HomeData['holds'][number];
  onResult: (result: ActionResult) => Promise<void>;
}) {
  return (
    <s-stack gap="small-200">
      <s-stack direction="inline" gap="small-100" alignItems="center">
        <s-heading>{toHoldName(code)}</s-heading>
        <s-badge tone="warning">{texts.home.heldOrders(orders)}</s-badge>
        <s-text color="subdued">{texts.home.since(formatTime(since))}</s-text>
      </s-stack>
      <s-paragraph>{oldest.message}</s-paragraph>
      <s-paragraph color="subdued">
        {texts.home.remedy}: {oldest.remedy}
      </s-paragraph>
      <s-stack direction="inline" gap="small-100">
        <s-button href={`/orders/${toNumericId(oldest.orderId)}`}>{texts.home.openOldest(oldest.name)}</s-button>
        {orders > 1 && (
          <s-button variant="tertiary" href={`/orders?state=held&hold=${code}&sort=oldest`}>
            {texts.home.showAll}
          </s-button>
        )}
      </s-stack>
      {orders > 1 && <s-paragraph color="subdued">{texts.home.appliesToOldest(oldest.name)}</s-paragraph>}
      <HoldChoices
        id={`oldest-${code}`}
        order={oldest}
        hold={oldest}
        onChange={null}
        readCost={(action) => readOrderAndDescribeCost(oldest.orderId, action, oldest.reference)}
        onResult={onResult}
      />
    </s-stack>
  );
}

function UnlinkedNotice({ text }: { text: string }) {
  return (
    <s-stack direction="inline" gap="small-100" alignItems="center">
      <s-paragraph>{text}</s-paragraph>
      <s-button href="/products">{texts.home.seeProducts}</s-button>
    </s-stack>
  );
}
