import { stateInSql } from '../facts/order-state.ts';
import { nothingToFulfillReasons } from '../facts/outcome-reasons.ts';

/** SQL: order `o` has an open hold or a held print order. */
export const IS_ORDER_HELD = `(exists (select from holds h where h.storefront_order_id = o.id and h.resolved_at is null)
  or exists (select from print_orders p
  where p.storefront_order_id = o.id and p.fenced_at is null and p.state = 'held' and p.print_again_at is null))`;

const ENDED = stateInSql('ended');
const NOTHING_TO_FULFILL = nothingToFulfillReasons.map((reason) => `'${reason}'`).join(', ');

/** SQL: order `o` got lines about which a plan has not decided yet. */
const IS_UNDECIDED = `(o.outcome = 'waiting' and l.total > 0 and exists (
  select from jsonb_object_keys(o.line_variants) as line (id) where not exists (
    select from order_lines n where n.storefront_order_id = o.id and n.shopify_line_item_id = line.id)))`;

/**
 * SQL: a lateral join that computes what the merchant reads for the state of order `o` as `s.label`, by the same rules as `toOrderLabel`.
 * Lists filter and count by it in SQL, so that a page of orders in a rare state needs only one query.
 */
export const ORDER_LABEL = `
  cross join lateral (
    select count(*) as total, count(*) filter (where decision <> 'not_ours') as ours,
      count(*) filter (where decision <> 'not_ours' and ordered_quantity > 0) as wanted,
      count(*) filter (where decision <> 'not_ours' and ordered_quantity > 0 and fulfilled_quantity < ordered_quantity) as open,
      coalesce(bool_or(decision <> 'not_ours' and fulfilled_quantity > 0), false) as any_fulfilled
    from order_lines where storefront_order_id = o.id
  ) as l
  cross join lateral (
    select count(*) as total, coalesce(bool_and(${ENDED} or p.print_again_at is not null), true) as all_ended, coalesce(bool_and(p.state in ('canceled', 'failed')), true) as all_over,
      coalesce(bool_or(p.confirmed_at is not null and p.state not in ('canceled', 'failed')), false) as any_live,
      coalesce(bool_or(p.shipped_at is not null or p.state = 'fulfilled'), false) as any_shipped
    from print_orders p where p.storefront_order_id = o.id and p.fenced_at is null
  ) as p
  cross join lateral (
    select case
      when o.canceled_at is not null then 'canceled'
      when ${IS_ORDER_HELD} then 'held'
      when ((l.wanted > 0 and l.open = 0) or (l.wanted = 0 and l.any_fulfilled and p.all_ended)) and not ${IS_UNDECIDED} then 'fulfilled'
      when o.outcome = 'nothing_to_do' and p.all_ended then
        case when o.outcome_reason in (${NOTHING_TO_FULFILL}) and l.any_fulfilled then 'fulfilled' else 'nothing_to_do' end
      when p.any_live then 'printing'
      when p.total > 0 and p.all_over then 'nothing_to_do'
      when o.outcome = 'nothing_to_do' or (l.total > 0 and l.ours = 0) then 'nothing_to_do'
      else 'waiting' end as state
  ) as b
  cross join lateral (select case when b.state = 'nothing_to_do' and p.any_shipped then 'shipped' else b.state end as label) as s`;

/** SQL: order `o` exists in the store. A webhook may have named an order that the store never had. */
export const IS_ORDER_IN_STORE = `not (o.name = '' and o.outcome_reason is not distinct from 'not_found')`;
