import { isOpen } from '../../../orders/facts/to-order-state.ts';
import type { ShownStorefrontOrder } from '../../../orders/manual-actions/show-order.ts';
import { formatNumber } from '../../format.ts';
import { texts } from '../../texts/texts.ts';
import { useVariantTitles } from '../products/use-variant-titles.ts';

type Line = ShownStorefrontOrder['lines'][number];
type PrintState = ShownStorefrontOrder['printOrders'][number]['state'];

const DONE: readonly PrintState[] = ['shipped', 'shipped_no_tracking', 'fulfilled'];
const SENT: readonly PrintState[] = ['submitted', 'in_production', 'held'];

/** The store's titles are read with one request for at most this many variants. */
const MAX_TITLES = 100;

/** The order's items. Their titles are loaded after the page, because they are read from the store. */
export function OrderLines({ order }: { order: ShownStorefrontOrder }) {
  const titleOf = useVariantTitles(order.lines.slice(0, MAX_TITLES));
  return (
    <s-section heading={texts.order.lines} padding="none">
      <s-table>
        <s-table-header-row>
          <s-table-header listSlot="primary">{texts.order.item}</s-table-header>
          <s-table-header listSlot="inline">{texts.order.decision}</s-table-header>
          <s-table-header format="numeric">{texts.order.quantity}</s-table-header>
          <s-table-header format="numeric">{texts.order.fulfilled}</s-table-header>
        </s-table-header-row>
        <s-table-body>
          {order.lines.map((line) => (
            <s-table-row key={line.lineItemId}>
              <s-table-cell>
                <s-stack gap="none">
                  {titleOf(line.variantId) !== null && <s-text>{titleOf(line.variantId)}</s-text>}
                  <s-text color={titleOf(line.variantId) === null ? 'base' : 'subdued'}>
                    {line.sku ?? texts.products.noSku}
                  </s-text>
                </s-stack>
              </s-table-cell>
              <s-table-cell>{describeDecision(order, line)}</s-table-cell>
              <s-table-cell>{formatNumber(line.ordered)}</s-table-cell>
              <s-table-cell>{formatNumber(line.fulfilled)}</s-table-cell>
            </s-table-row>
          ))}
        </s-table-body>
      </s-table>
    </s-section>
  );
}

/**
 * Returns the text about what happens to a line. A line that Platen prints counts as printed only once one of its print orders has shipped.
 */
function describeDecision({ state, printOrders }: ShownStorefrontOrder, line: Line): string {
  const { decisions } = texts.order;
  if (line.decision !== 'ours') return decisions[line.decision] ?? line.decision;
  const states = printOrders
    .filter(({ isClosed, lines }) => !isClosed && lines.some(({ lineItemId }) => lineItemId === line.lineItemId))
    .map((printOrder) => printOrder.state);
  if (states.some((one) => DONE.includes(one))) return decisions['ours'] ?? '';
  const sent = states.find((one) => SENT.includes(one));
  if (sent) return texts.printStates[sent];
  return (isOpen(state) && line.fulfilled < line.ordered ? decisions['unsent'] : decisions['not_ours']) ?? '';
}
