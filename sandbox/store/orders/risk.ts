import { z } from 'zod';
import { toNumericId } from '../graphql/gid.ts';
import { saveOrder } from './save-order.ts';
import type { Order, Risk } from '../state.ts';
import type { Store } from '../store.ts';
import type { View } from '../graphql/view.ts';

export const riskSchema = z.enum(['none', 'low', 'medium', 'high', 'pending']);

const recommendations: Readonly<Record<Risk, string>> = {
  none: 'NONE',
  low: 'ACCEPT',
  medium: 'INVESTIGATE',
  high: 'CANCEL',
  pending: 'NONE',
};

/** Returns GraphQL's OrderRiskSummary. An order that was not analyzed has no assessment. */
export function riskView({ risk = 'none' }: Order): View {
  const assessments = risk === 'none' ? [] : [{ riskLevel: risk.toUpperCase(), provider: null }];
  return { recommendation: recommendations[risk], assessments };
}

/** Changes the result of the fraud analysis and sends a webhook. */
export function changeRisk(store: Store, order: Order, risk: Risk): Order {
  const body = {
    order_id: BigInt(toNumericId(order.id)),
    admin_graphql_api_order_id: order.id,
    provider_id: null,
    provider_title: null,
    risk_level: risk,
    created_at: store.clock.now().toISOString(),
  };
  return saveOrder(store, { ...order, risk }, [['orders/risk_assessment_changed', body]]);
}
