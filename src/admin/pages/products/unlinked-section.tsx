import { useState } from 'preact/hooks';
import type { UnlinkedPage, UnlinkedVariant } from '../../../orders/unlinked/list-unlinked-variants.ts';
import { formatTime } from '../../format.ts';
import { Outcome, useOutcome } from '../../parts/outcome.tsx';
import { PageState, Skeleton } from '../../parts/page-state.tsx';
import { texts } from '../../texts/texts.ts';
import { useData } from '../../use-data.ts';
import { SettleWaitingOrders } from './settle-waiting-orders.tsx';
import { OwnProduct } from './own-product.tsx';
import { toTargetName, toElementId, toLinkHref } from './target.ts';

const REFRESH_SECONDS = 10;

/** The variants that were not printed because they were not linked, each with the merchant's choices for their orders. */
export function UnlinkedSection() {
  const [before, setBefore] = useState<(string | null)[]>([null]);
  const after = before.at(-1) ?? null;
  const query = after === null ? '' : `?${new URLSearchParams({ after })}`;
  const loaded = useData<UnlinkedPage>(`/api/print-links/waiting${query}`, { refreshSeconds: REFRESH_SECONDS });
  const { outcome, run } = useOutcome(loaded.reload);
  const { data } = loaded;
  if (data === null && loaded.error === null && after === null) return <Skeleton rows={8} />;
  // The section with the print links already shows that the page is offline.
  if (data === null && loaded.error?.status === 0) return null;
  const isNothing = data !== null && data.variants.length === 0 && after === null;
  if (isNothing && outcome === null && loaded.error === null) return null;
  return (
    <s-section heading={texts.products.unlinked} subheading={texts.products.unlinkedText}>
      <Outcome outcome={outcome} />
      <PageState loaded={loaded} rows={3}>
        {({ variants, next }) => (
          <s-stack gap="base">
            {variants.map((variant) => (
              <UnlinkedRow key={toElementId(variant)} variant={variant} run={run} />
            ))}
            {(before.length > 1 || next !== null) && (
              <s-stack direction="inline" gap="small-100">
                <s-button disabled={before.length === 1} onClick={() => setBefore(before.slice(0, -1))}>
                  {texts.products.previous}
                </s-button>
                <s-button disabled={next === null} onClick={() => setBefore([...before, next])}>
                  {texts.products.next}
                </s-button>
              </s-stack>
            )}
          </s-stack>
        )}
      </PageState>
    </s-section>
  );
}

type Run = ReturnType<typeof useOutcome>['run'];

function UnlinkedRow({ variant, run }: { variant: UnlinkedVariant; run: Run }) {
  const { adminUrl, orders, since, linked } = variant;
  const name = toTargetName(variant);
  return (
    <s-stack gap="small-200">
      <s-stack direction="inline" gap="small-100" alignItems="center">
        {adminUrl === null ? (
          <s-text type="strong">{name}</s-text>
        ) : (
          <s-link href={adminUrl} target="_top">
            {name}
          </s-link>
        )}
        <s-badge tone={linked ? 'info' : 'warning'}>
          {linked ? texts.products.linkedNow : texts.products.notLinked}
        </s-badge>
        <s-text color="subdued">{texts.products.ordersSince(orders, formatTime(since))}</s-text>
      </s-stack>
      <s-paragraph>{linked ? texts.products.linkedNowText : texts.products.notLinkedText}</s-paragraph>
      <s-stack direction="inline" gap="small-100">
        {linked ? <LinkedActions variant={variant} run={run} /> : <NotLinkedActions variant={variant} run={run} />}
      </s-stack>
    </s-stack>
  );
}

function LinkedActions({ variant, run }: { variant: UnlinkedVariant; run: Run }) {
  return (
    <>
      {(['print', 'leave'] as const).map((word) => (
        <SettleWaitingOrders
          key={word}
          word={word}
          target={variant}
          onDone={() => run(() => Promise.resolve(texts.products.settled[word]))}
        />
      ))}
    </>
  );
}

function NotLinkedActions({ variant, run }: { variant: UnlinkedVariant; run: Run }) {
  return (
    <>
      <s-button href={toLinkHref(variant)}>{texts.products.linkNow}</s-button>
      <OwnProduct variant={variant} onConfirm={run} />
    </>
  );
}
