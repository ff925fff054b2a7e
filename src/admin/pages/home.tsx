import type { HomeData } from '../../http/pages/admin/read-home.ts';
import type { Boot } from '../../http/pages/admin/boot.ts';
import { useEffect, useState } from 'preact/hooks';
import { digitsOf, formatDuration, formatTime } from '../format.ts';
import { nameOfHold, remedyOfHold } from '../parts/hold-text.ts';
import { ConnectionRows } from '../parts/connection-rows.tsx';
import { OrdersChart } from '../parts/orders-chart.tsx';
import { PageState } from '../parts/page-state.tsx';
import { readStored, store } from '../storage.ts';
import { texts } from '../texts/texts.ts';
import { useData } from '../use-data.ts';

const REFRESH_SECONDS = 30;
/** A browser may be signed in to several shops. */
const toKey = (shop: string): string => `platen-guide-dismissed ${shop}`;

/** The home page: what needs a person, how orders progress, and whether both connections work. */
export function HomePage({ boot }: { boot: Boot }) {
  const loaded = useData<HomeData>('/api/home', { initial: boot.home, refreshSeconds: REFRESH_SECONDS });
  // Later visits to this page must not begin with the data of the first document.
  useEffect(() => {
    boot.home = null;
  }, []);
  return (
    <s-page heading={texts.home.title}>
      <PageState loaded={loaded} rows={12}>
        {(home) => <Home home={home} reload={loaded.reload} />}
      </PageState>
    </s-page>
  );
}

function Home({ home, reload }: { home: HomeData; reload: () => Promise<void> }) {
  return (
    <>
      {home.quietUntil !== null && (
        <s-banner tone="info" heading={texts.home.paused}>
          <s-paragraph>{texts.home.pausedText(formatTime(home.quietUntil))}</s-paragraph>
        </s-banner>
      )}
      <Guide guide={home.guide} shop={home.connections.store.domain} />
      <Attention home={home} />
      <s-query-container>
        <s-grid gridTemplateColumns="@container (inline-size > 700px) 2fr 1fr, 1fr" gap="base">
          <s-section heading={texts.home.ordersChart}>
            <OrdersChart days={home.days} />
          </s-section>
          <s-section heading={texts.home.times}>
            <Times name={texts.home.toPrint} times={home.times.toPrint} />
            <Times name={texts.home.toShipment} times={home.times.toShipment} />
          </s-section>
        </s-grid>
      </s-query-container>
      {home.waiting.total > 0 && <Waiting waiting={home.waiting} />}
      <s-section heading={texts.home.connections}>
        <ConnectionRows home={home} reload={reload} />
        <s-link href="/activity">{texts.home.seeActivity}</s-link>
      </s-section>
    </>
  );
}

/** The steps until the first order has been sent. It can be dismissed, and disappears when all steps are complete. */
function Guide({ guide, shop }: { guide: HomeData['guide']; shop: string }) {
  const [isDismissed, setDismissed] = useState(false);
  // The server does not know what this browser has stored, so both first render the guide.
  useEffect(() => setDismissed(readStored(toKey(shop)) === 'yes'), [shop]);
  const steps: [done: boolean, text: string, href: string][] = [
    [guide.hasKey, texts.home.keyStep, '/settings/connection'],
    [guide.hasAddress, texts.home.addressStep, '/settings/connection'],
    [guide.hasLink, texts.home.linkStep, '/products'],
    [guide.hasRules, texts.home.rulesStep, '/settings/release'],
    [guide.hasOrder, guide.hasOrder ? texts.home.orderStepText : texts.home.orderStep, '/orders'],
  ];
  const done = steps.filter(([isDone]) => isDone).length;
  if (done === steps.length) return null;
  const dismiss = (next: boolean): void => {
    store(toKey(shop), next ? 'yes' : 'no');
    setDismissed(next);
  };
  if (isDismissed)
    return (
      <s-stack direction="inline">
        <s-button variant="tertiary" onClick={() => dismiss(false)}>
          {texts.home.showGuide}
        </s-button>
      </s-stack>
    );
  return (
    <s-section heading={texts.home.guide} subheading={texts.home.guideText(done, steps.length)}>
      <s-button slot="secondary-actions" variant="tertiary" onClick={() => dismiss(true)}>
        {texts.home.dismiss}
      </s-button>
      {steps.map(([isDone, text, href]) => (
        <s-stack key={text} direction="inline" gap="small-100" alignItems="center">
          <s-icon type={isDone ? 'check-circle' : 'circle-dashed'} tone={isDone ? 'success' : 'neutral'} />
          {isDone ? <s-text color="subdued">{text}</s-text> : <s-link href={href}>{text}</s-link>}
        </s-stack>
      ))}
    </s-section>
  );
}

function Attention({ home: { holds, unlinked } }: { home: HomeData }) {
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
              <s-heading>{nameOfHold(hold.code)}</s-heading>
              <s-badge tone="warning">{texts.home.heldOrders(hold.orders)}</s-badge>
              <s-text color="subdued">{texts.home.since(formatTime(hold.since))}</s-text>
            </s-stack>
            <s-paragraph>{hold.message}</s-paragraph>
            <s-paragraph color="subdued">
              {texts.home.remedy}: {remedyOfHold(hold)}
            </s-paragraph>
            <s-stack direction="inline" gap="small-100">
              <s-button href={`/orders/${digitsOf(hold.oldest.orderId)}`}>
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
        {unlinked.notLinked > 0 && <Unlinked text={texts.home.unlinked(unlinked.notLinked)} />}
        {unlinked.linked > 0 && <Unlinked text={texts.home.linkedNow(unlinked.linked)} />}
      </s-stack>
    </s-section>
  );
}

function Unlinked({ text }: { text: string }) {
  return (
    <s-stack direction="inline" gap="small-100" alignItems="center">
      <s-paragraph>{text}</s-paragraph>
      <s-button href="/products">{texts.home.seeProducts}</s-button>
    </s-stack>
  );
}

function Times({ name, times }: { name: string; times: HomeData['times']['toPrint'] }) {
  return (
    <s-stack gap="small-300">
      <s-heading>{name}</s-heading>
      {times === null ? (
        <s-paragraph color="subdued">{texts.home.noTimes}</s-paragraph>
      ) : (
        <>
          <s-paragraph>
            {texts.home.median}: {formatDuration(times.median)}
          </s-paragraph>
          <s-paragraph color="subdued">
            {texts.home.p95}: {formatDuration(times.p95)}
          </s-paragraph>
        </>
      )}
    </s-stack>
  );
}

function Waiting({ waiting: { orders } }: { waiting: HomeData['waiting'] }) {
  return (
    <s-section heading={texts.home.waiting} subheading={texts.home.waitingText}>
      {orders.map(({ orderId, name, waits }) => (
        <s-stack key={orderId} gap="small-300">
          <s-link href={`/orders/${digitsOf(orderId)}`}>{name}</s-link>
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
