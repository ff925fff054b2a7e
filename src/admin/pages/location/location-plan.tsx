import { useEffect, useRef } from 'preact/hooks';
import type { LocationPlanPage } from '../../../products/location/plan-location.ts';
import { callApi } from '../../api.ts';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { PageState } from '../../parts/page-state.tsx';
import { useOutcome, Outcome } from '../../parts/outcome.tsx';
import { texts } from '../../texts/texts.ts';
import { usePages, type TablePages } from '../../use-pages.ts';

/** The changes that the plan would make, 100 variants at a time, and the button that applies it to all variants. */
export function LocationPlan({ onApplied, isBusy }: { onApplied: () => Promise<void>; isBusy: boolean }) {
  const { loaded, pages } = usePages<LocationPlanPage>('/api/location/plan', { mayBeEmpty: true });
  const { outcome, run } = useOutcome();
  const wasBusy = useRef(false);
  // Reloads the plan once the job has applied it.
  useEffect(() => {
    if (wasBusy.current && !isBusy) void loaded.reload();
    wasBusy.current = isBusy;
  }, [isBusy]);
  const apply = async (): Promise<string> => {
    await callApi('POST', '/api/location');
    await Promise.all([onApplied(), loaded.reload()]);
    return texts.location.applied;
  };
  return (
    <s-section heading={texts.location.plan} padding="none">
      <s-box padding="base">
        <s-stack gap="small-100">
          <s-paragraph>{texts.location.planText}</s-paragraph>
          <Outcome outcome={outcome} />
          {loaded.data && (
            <s-stack direction="inline">
              <ConfirmButton
                id="apply-location"
                label={texts.location.apply}
                title={texts.location.apply}
                text={texts.location.applyText}
                isDisabled={isBusy}
                onConfirm={() => run(apply)}
              />
            </s-stack>
          )}
        </s-stack>
      </s-box>
      <PageState loaded={loaded} rows={6}>
        {(plan) => <PlanTable plan={plan} pages={pages} />}
      </PageState>
    </s-section>
  );
}

function PlanTable({ plan, pages }: { plan: LocationPlanPage; pages: TablePages }) {
  const { toStock, toUnstock, withoutRates, unchanged, profilesWithoutRates, ratesRead } = plan;
  const rows = [
    ...toStock.map((one) => ({ ...one, change: texts.location.stock })),
    ...toUnstock.map((one) => ({ ...one, change: texts.location.unstock })),
    ...withoutRates.map((one) => ({ ...one, change: texts.location.noRates(one.profile) })),
  ];
  return (
    <>
      {(profilesWithoutRates.length > 0 || !ratesRead) && (
        <s-box padding="base">
          <s-stack gap="small-100">
            {profilesWithoutRates.length > 0 && (
              <s-banner tone="warning">
                {texts.location.profiles(profilesWithoutRates.map(({ name }) => name).join(', '))}
              </s-banner>
            )}
            {!ratesRead && <s-paragraph color="subdued">{texts.location.ratesNotRead}</s-paragraph>}
          </s-stack>
        </s-box>
      )}
      {rows.length === 0 ? (
        <>
          <s-empty-state heading={texts.location.noChange}>
            <s-paragraph slot="subheading">{texts.location.noChangeText(unchanged)}</s-paragraph>
          </s-empty-state>
          <PagingButtons pages={pages} />
        </>
      ) : (
        <>
          <s-table {...pages}>
            <s-table-header-row>
              <s-table-header listSlot="primary">{texts.productPages.variant}</s-table-header>
              <s-table-header>{texts.order.sku}</s-table-header>
              <s-table-header>{texts.location.change}</s-table-header>
            </s-table-header-row>
            <s-table-body>
              {rows.map(({ variantId, title, sku, change }) => (
                <s-table-row key={variantId}>
                  <s-table-cell>{title}</s-table-cell>
                  <s-table-cell>{sku ?? texts.productPages.none}</s-table-cell>
                  <s-table-cell>{change}</s-table-cell>
                </s-table-row>
              ))}
            </s-table-body>
          </s-table>
          <s-box padding="base">
            <s-text color="subdued">{texts.location.unchanged(unchanged)}</s-text>
          </s-box>
        </>
      )}
    </>
  );
}

/** The paging buttons for a page without changes, which has no table. Further pages may follow. */
function PagingButtons({
  pages: { paginate, hasNextPage, hasPreviousPage, onNextPage, onPreviousPage },
}: {
  pages: TablePages;
}) {
  if (!paginate) return null;
  return (
    <s-box padding="base">
      <s-stack direction="inline" gap="small-100">
        {hasPreviousPage && <s-button onClick={onPreviousPage}>{texts.location.previous}</s-button>}
        {hasNextPage && <s-button onClick={onNextPage}>{texts.location.next}</s-button>}
      </s-stack>
    </s-box>
  );
}
