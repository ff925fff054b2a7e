import { useState } from 'preact/hooks';
import type { Action } from '../../orders/by-hand/hold-actions.ts';
import { ApiError, call } from '../api.ts';
import { digitsOf } from '../format.ts';
import { texts } from '../texts/texts.ts';
import { ConfirmButton } from './confirm.tsx';

const CRITICAL: readonly Action[] = ['cancel', 'close', 'print-again'];

/** Performs an action on one order. Returns the sentences that say what was done. Throws ApiError. */
export async function act(orderId: string, action: Action, printOrder: string | null = null): Promise<string[]> {
  const { done } = await call<{ done: string[] }>('POST', `/api/orders/${digitsOf(orderId)}/${action}`, { printOrder });
  return done;
}

/** The actions on an order, each with what it does. The result stays on the page. */
export function OrderActions({
  id,
  orderId,
  name,
  actions,
  printOrder = null,
  onDone,
}: {
  id: string;
  orderId: string;
  name: string;
  actions: readonly Action[];
  printOrder?: string | null;
  onDone: () => Promise<void>;
}) {
  const [result, setResult] = useState<{ isError: boolean; lines: string[] } | null>(null);
  const [isRunning, setRunning] = useState(false);
  const run = async (action: Action): Promise<void> => {
    setRunning(true);
    try {
      setResult({ isError: false, lines: await act(orderId, action, printOrder) });
      await onDone();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setResult({ isError: true, lines: [error.message || texts.app.failedText] });
    } finally {
      setRunning(false);
    }
  };
  return (
    <s-stack gap="small-100">
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
            onConfirm={() => run(action)}
          />
        ))}
      </s-stack>
      {result && (
        <s-banner tone={result.isError ? 'critical' : 'success'}>
          {result.lines.map((line) => (
            <s-paragraph key={line}>{line}</s-paragraph>
          ))}
        </s-banner>
      )}
    </s-stack>
  );
}
