import type { HomeData } from '../../../http/pages/admin/read-home.ts';
import { toNumericId, formatTime } from '../../format.ts';
import { toHoldName } from '../../parts/to-hold-name.ts';
import { texts } from '../../texts/texts.ts';

/** The problems that a person must resolve: holds by reason, and orders whose products are not linked. */
export function AttentionSection({ home: { holds, unlinked } }: { home: HomeData }) {
  const isNothing = holds.length === 0 && unlinked.notLinked === 0 && unlinked.linked === 0;
  if (isNothing)
    return (
      <s-section heading={texts.home.allGood}>
        <s-paragraph color="subdued">{texts.home.allGoodText}</s-paragraph>
      </s-section>
    );
  return (
    <s-section heading={texts.home.attention}>
      <s-stack gap="base">
        {holds.map((hold) => (
          <s-stack key={hold.code} gap="small-200">
            <s-stack direction="inline" gap="small-100" alignItems="center">
              <s-heading>{toHoldName(hold.code)}</s-heading>
              <s-badge tone="warning">{texts.home.heldOrders(hold.orders)}</s-badge>
              <s-text color="subdued">{texts.home.since(formatTime(hold.since))}</s-text>
            </s-stack>
            <s-paragraph>{hold.message}</s-paragraph>
            <s-paragraph color="subdued">
              {texts.home.remedy}: {hold.remedy}
            </s-paragraph>
            <s-stack direction="inline" gap="small-100">
              <s-button href={`/orders/${toNumericId(hold.oldest.orderId)}`}>
                {texts.home.openOldest(hold.oldest.name)}
              </s-button>
              {hold.orders > 1 && (
                <s-button variant="tertiary" href={`/orders?state=held&hold=${hold.code}&sort=oldest`}>
                  {texts.home.showAll}
                </s-button>
              )}
            </s-stack>
          </s-stack>
        ))}
        {unlinked.notLinked > 0 && <UnlinkedNotice text={texts.home.unlinked(unlinked.notLinked)} />}
        {unlinked.linked > 0 && <UnlinkedNotice text={texts.home.linkedNow(unlinked.linked)} />}
      </s-stack>
    </s-section>
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
