import { useState } from 'preact/hooks';
import type { Action } from '../../../orders/manual-actions/hold-actions.ts';
import type { ManualActionResult } from '../../../orders/manual-actions/perform-manual-action.ts';
import { ApiError, callApi } from '../../api.ts';
import { toMessage } from '../../to-field-message.ts';
import { toNumericId } from '../../format.ts';
import { texts } from '../../texts/texts.ts';
import { ConfirmButton } from '../../parts/confirm-button.tsx';

const CRITICAL: readonly Action[] = ['cancel', 'close', 'print-again'];

/** Performs an action on one order. Throws ApiError. */
export async function performAction(
  orderId: string,
  action: Action,
  printOrder: string | null = null,
): Promise<ActionResult> {
  const path = `/api/orders/${toNumericId(orderId)}/${action}`;
  const { done, stillHeld } = await callApi<ManualActionResult>('POST', path, { printOrder });
  if (stillHeld.length === 0) return { tone: 'success', lines: done };
  return { tone: 'warning', lines: [texts.order.stillHeld(stillHeld.join(' '))] };
}

/** Returns a message that says why an action failed, or that it may have taken effect. */
export function toActionMessage(error: ApiError): string {
  return error.isUncertain ? texts.order.uncertain : toMessage(error);
}

/** The sentences that describe what an action did, why an approved order stays on hold, or the error. */
export interface ActionResult {
  tone: 'success' | 'warning' | 'critical';
  lines: string[];
}

export function ResultBanner({ result: { tone, lines } }: { result: ActionResult }) {
  return (
    <s-banner tone={tone}>
      {lines.map((line) => (
        <s-paragraph key={line}>{line}</s-paragraph>
      ))}
    </s-banner>
  );
}

/** The actions on an order, each with a description. */
export function OrderActions({
  id,
  orderId,
  name,
  actions,
  printOrder = null,
  readCost,
  onResult,
}: {
  id: string;
  orderId: string;
  name: string;
  actions: readonly Action[];
  printOrder?: string | null;
  /** Returns a sentence about the cost of an action. */
  readCost: (action: Action) => Promise<string | null>;
  /** Called with the result or the error. Afterward, the hold and these actions may no longer exist. */
  onResult: (result: ActionResult) => Promise<void>;
}) {
  const [isRunning, setRunning] = useState(false);
  const run = async (action: Action): Promise<void> => {
    setRunning(true);
    try {
      await onResult(await performAction(orderId, action, printOrder));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      await onResult({ tone: 'critical', lines: [toActionMessage(error)] });
    } finally {
      setRunning(false);
    }
  };
  return (
    <s-stack direction="inline" gap="small-100">
      {actions.map((action) => (
        <ConfirmButton
          key={action}
          id={`${id}-${action}`}
          label={texts.actions[action]}
          title={texts.order.confirmTitle(texts.actions[action], printOrder ?? name)}
          text={texts.actionTexts[action]}
          isCritical={CRITICAL.includes(action)}
          isDisabled={isRunning}
          readCost={() => readCost(action)}
          onConfirm={() => run(action)}
        />
      ))}
    </s-stack>
  );
}
