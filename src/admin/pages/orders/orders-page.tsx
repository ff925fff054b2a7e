import { useState } from 'preact/hooks';
import type { Boot } from '../../../http/pages/admin/boot.ts';
import type { Action } from '../../../orders/manual-actions/hold-actions.ts';
import type { ListedOrder, ListedOrdersPage } from '../../../orders/lists/list-orders.ts';
import { ApiError } from '../../api.ts';
import { toNumericId, formatTime } from '../../format.ts';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { performAction, toActionMessage, type ActionResult } from './order-actions.tsx';
import { Filters } from './order-filters.tsx';
import { PageState } from '../../parts/page-state.tsx';
import { describeTotalCost } from './describe-cost.ts';
import { readFilters } from './read-filters.ts';
import { SavedViews } from './saved-views.tsx';
import { toHoldName } from '../../parts/to-hold-name.ts';
import { OrderBadge } from '../../parts/state-badge.tsx';
import { route } from '../../router.ts';
import { texts } from '../../texts/texts.ts';
import { usePages, type TablePages } from '../../use-pages.ts';

const REFRESH_SECONDS = 5;
/** A dialog names at most this many orders. */
const MAX_NAMED = 10;
const BULK_ACTIONS: readonly Action[] = ['retry', 'approve', 'cancel'];

/** The list of orders. The address contains the filters, so that a view can be saved, linked and restored. */
export function OrdersPage({ boot }: { boot: Boot }) {
  const filters = readFilters(route.value.query);
  const path = `/api/orders?${filters.applied}`;
  const { loaded, pages } = usePages<ListedOrdersPage>(path, { refreshSeconds: REFRESH_SECONDS });
  const [results, setResults] = useState<readonly Result[]>([]);
  return (
    <s-page heading={texts.orders.title} inlineSize="large">
      <SavedViews filters={filters.all} shop={boot.shop.domain} />
      <s-section padding="none" accessibilityLabel={texts.orders.title}>
        <Filters filters={filters} />
        {results.length > 0 && <ActionResults results={results} />}
        <PageState loaded={loaded} rows={10}>
          {({ orders }) =>
            orders.length === 0 ? (
              <Empty isFiltered={[...filters.applied.keys()].some((name) => name !== 'sort')} />
            ) : (
              <OrdersTable key={path} orders={orders} pages={pages} setResults={setResults} reload={loaded.reload} />
            )
          }
        </PageState>
      </s-section>
    </s-page>
  );
}

/** The result of a bulk action for one order. */
interface Result {
  orderId: string;
  name: string;
  tone: ActionResult['tone'];
  text: string;
}

interface TableProps {
  orders: ListedOrder[];
  pages: TablePages;
  setResults: (results: readonly Result[]) => void;
  reload: () => Promise<void>;
}

function OrdersTable({ orders, pages, setResults, reload }: TableProps) {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const chosen = orders.filter(({ orderId }) => selected.has(orderId));
  const toggle = (ids: readonly string[], isOn: boolean): void => {
    const rest = [...selected].filter((id) => !ids.includes(id));
    setSelected(new Set(isOn ? [...rest, ...ids] : rest));
  };
  const all = orders.map(({ orderId }) => orderId);
  return (
    <>
      {chosen.length > 0 && <BulkActions orders={chosen} setResults={setResults} onDone={reload} />}
      <s-table {...pages}>
        <s-table-header-row>
          <s-table-header listSlot="kicker">
            <s-checkbox
              accessibilityLabel={texts.orders.selectAll}
              checked={chosen.length === orders.length}
              onChange={(event) => toggle(all, event.currentTarget.checked)}
            />
          </s-table-header>
          <s-table-header listSlot="primary">{texts.orders.order}</s-table-header>
          <s-table-header>{texts.orders.placed}</s-table-header>
          <s-table-header listSlot="inline">{texts.orders.state}</s-table-header>
          <s-table-header>{texts.orders.printOrders}</s-table-header>
          <s-table-header>{texts.orders.reason}</s-table-header>
        </s-table-header-row>
        <s-table-body>
          {orders.map((order) => (
            <OrderRow
              key={order.orderId}
              order={order}
              isSelected={selected.has(order.orderId)}
              onSelect={(isOn) => toggle([order.orderId], isOn)}
            />
          ))}
        </s-table-body>
      </s-table>
    </>
  );
}

function OrderRow({
  order: { orderId, name, placedAt, label, printOrders, holds, waits },
  isSelected,
  onSelect,
}: {
  order: ListedOrder;
  isSelected: boolean;
  onSelect: (isOn: boolean) => void;
}) {
  const id = toNumericId(orderId);
  const [hold] = holds;
  const reason = hold ? toHoldName(hold.code) : (waits[0]?.message ?? '');
  return (
    <s-table-row clickDelegate={`open-${id}`}>
      <s-table-cell>
        <s-checkbox
          accessibilityLabel={texts.orders.select(name)}
          checked={isSelected}
          onChange={(event) => onSelect(event.currentTarget.checked)}
        />
      </s-table-cell>
      <s-table-cell>
        <s-link id={`open-${id}`} href={`/orders/${id}`}>
          {name || id}
        </s-link>
      </s-table-cell>
      <s-table-cell>{formatTime(placedAt)}</s-table-cell>
      <s-table-cell>
        <OrderBadge label={label} />
      </s-table-cell>
      <s-table-cell>{printOrders.map((one) => texts.printStates[one.state]).join(', ')}</s-table-cell>
      <s-table-cell>{reason}</s-table-cell>
    </s-table-row>
  );
}

/** Performs one action on each selected order, one after the other. */
function BulkActions({
  orders,
  setResults,
  onDone,
}: Pick<TableProps, 'orders' | 'setResults'> & { onDone: () => Promise<void> }) {
  const [isRunning, setRunning] = useState(false);
  const names = orders.map(({ orderId, name }) => name || toNumericId(orderId));
  const run = async (action: Action): Promise<void> => {
    setRunning(true);
    const results: Result[] = [];
    for (const { orderId, name } of orders) {
      const result = await performAction(orderId, action).then(
        ({ tone, lines }) => ({ orderId, name, tone, text: lines.join(' ') }),
        (error: unknown) => ({
          orderId,
          name,
          tone: 'critical' as const,
          text: error instanceof ApiError ? toActionMessage(error) : texts.app.failedText,
        }),
      );
      results.push(result);
      setResults([...results]);
    }
    setRunning(false);
    await onDone();
  };
  return (
    <s-box padding="base" background="subdued">
      <s-stack direction="inline" gap="small-100" alignItems="center">
        <s-text type="strong">{texts.orders.selected(orders.length)}</s-text>
        {BULK_ACTIONS.map((action) => (
          <ConfirmButton
            key={action}
            id={`bulk-${action}`}
            label={texts.actions[action]}
            title={texts.order.confirmTitle(texts.actions[action], texts.orders.selected(orders.length))}
            text={action === 'approve' ? texts.orders.approveText : texts.actionTexts[action]}
            details={texts.orders.appliesTo(names.slice(0, MAX_NAMED).join(', '), names.length - MAX_NAMED)}
            isCritical={action === 'cancel'}
            isDisabled={isRunning}
            {...(action === 'approve' && { readCost: () => describeTotalCost(orders.map(({ orderId }) => orderId)) })}
            onConfirm={() => run(action)}
          />
        ))}
      </s-stack>
    </s-box>
  );
}

/** The results of a bulk action. They stay visible even if their orders no longer match the filters. */
function ActionResults({ results }: { results: readonly Result[] }) {
  return (
    <s-box padding="base" accessibilityRole="region" accessibilityLabel={texts.orders.results}>
      <s-heading>{texts.orders.results}</s-heading>
      {results.map(({ orderId, name, tone, text }) => (
        <s-paragraph key={orderId} tone={tone === 'success' ? 'auto' : tone}>
          {/* A refusal may name another action, which the order's page offers. */}
          {tone === 'success' ? name : <s-link href={`/orders/${toNumericId(orderId)}`}>{name}</s-link>}: {text}
        </s-paragraph>
      ))}
    </s-box>
  );
}

function Empty({ isFiltered }: { isFiltered: boolean }) {
  return (
    <s-empty-state heading={isFiltered ? texts.orders.noMatch : texts.orders.empty}>
      <s-paragraph slot="subheading">{isFiltered ? texts.orders.noMatchText : texts.orders.emptyText}</s-paragraph>
      {isFiltered && (
        <s-button slot="primary-action" href="/orders">
          {texts.orders.clear}
        </s-button>
      )}
    </s-empty-state>
  );
}
