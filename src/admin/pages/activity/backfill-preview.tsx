import { useState } from 'preact/hooks';
import type { ListedBackfill } from '../../../orders/backfill/list-backfills.ts';
import type { ApiError } from '../../api.ts';
import { toMessage } from '../../to-field-message.ts';
import { toNumericId, formatDay, formatNumber, formatTime } from '../../format.ts';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { useAction } from '../../use-action.ts';
import { texts } from '../../texts/texts.ts';
import { startBackfill } from './start-backfill.tsx';

const PAGE_SIZE = 20;
/** Errors that the merchant can override, because only the merchant knows who printed the orders. */
const OVERRIDABLE: readonly string[] = ['another_app_printed', 'no_print_account'];

/** Shows the orders that a finished dry run found, with a button that imports them. */
export function BackfillPreview({ backfill, reload }: { backfill: ListedBackfill; reload: () => Promise<void> }) {
  const { since, orders, found } = backfill;
  const { error, isRunning: isSending, run } = useAction();
  const start = async (besideOtherApp: boolean): Promise<void> => {
    await run(async () => void (await startBackfill({ since, dryRun: false, besideOtherApp })));
    await reload();
  };
  if (orders.taken === 0)
    return (
      <s-section>
        <s-empty-state heading={texts.activity.previewNothing}>
          <s-paragraph slot="subheading">{texts.activity.previewNothingText}</s-paragraph>
        </s-empty-state>
      </s-section>
    );
  return (
    <s-section heading={texts.activity.previewTitle(orders.taken, formatDay(since))}>
      <s-paragraph>{texts.activity.previewText}</s-paragraph>
      {error !== null && <RefusalNotice error={error} isSending={isSending} onConfirm={() => start(true)} />}
      <s-stack direction="inline">
        <ConfirmButton
          id="import-orders"
          label={texts.activity.importOrders(orders.taken)}
          title={texts.activity.importOrders(orders.taken)}
          text={texts.activity.importText(orders.taken)}
          isDisabled={isSending}
          onConfirm={() => start(false)}
        />
      </s-stack>
      <FoundOrders found={found} />
      {found.length < orders.taken && (
        <s-paragraph color="subdued">{texts.activity.previewLimit(found.length)}</s-paragraph>
      )}
    </s-section>
  );
}

/** Shows why the import was rejected. If the merchant can override the reason, a second confirmation explains the risk. */
function RefusalNotice({
  error,
  isSending,
  onConfirm,
}: {
  error: ApiError;
  isSending: boolean;
  onConfirm: () => Promise<void>;
}) {
  if (!OVERRIDABLE.includes(error.code))
    return (
      <s-banner tone="critical">
        <s-paragraph>{toMessage(error)}</s-paragraph>
      </s-banner>
    );
  return (
    <s-banner tone="warning" heading={texts.activity.otherPrinter}>
      <s-stack gap="small-100">
        <s-paragraph>{texts.activity.otherPrinterText}</s-paragraph>
        <s-stack direction="inline">
          <ConfirmButton
            id="import-anyway"
            label={texts.activity.importAnyway}
            title={texts.activity.importAnyway}
            text={texts.activity.importAnywayText}
            isCritical
            isDisabled={isSending}
            onConfirm={onConfirm}
          />
        </s-stack>
      </s-stack>
    </s-banner>
  );
}

function FoundOrders({ found }: { found: ListedBackfill['found'] }) {
  const [page, setPage] = useState(0);
  const hasNext = (page + 1) * PAGE_SIZE < found.length;
  return (
    <s-table
      paginate={found.length > PAGE_SIZE}
      hasPreviousPage={page > 0}
      hasNextPage={hasNext}
      onPreviousPage={() => setPage(page - 1)}
      onNextPage={() => setPage(page + 1)}
    >
      <s-table-header-row>
        <s-table-header listSlot="primary">{texts.activity.order}</s-table-header>
        <s-table-header>{texts.orders.placed}</s-table-header>
        <s-table-header>{texts.activity.items}</s-table-header>
        <s-table-header listSlot="inline">{texts.activity.afterImport}</s-table-header>
      </s-table-header-row>
      <s-table-body>
        {found.slice(page * PAGE_SIZE, (page + 1) * PAGE_SIZE).map(({ orderId, name, placedAt, lines, waits }) => (
          <s-table-row key={orderId}>
            <s-table-cell>{name || toNumericId(orderId)}</s-table-cell>
            <s-table-cell>{formatTime(placedAt)}</s-table-cell>
            <s-table-cell>
              {lines
                .map(({ sku, quantity }) => `${formatNumber(quantity)} × ${sku ?? texts.products.noSku}`)
                .join(', ')}
            </s-table-cell>
            <s-table-cell>{waits ?? texts.activity.sentAtOnce}</s-table-cell>
          </s-table-row>
        ))}
      </s-table-body>
    </s-table>
  );
}
