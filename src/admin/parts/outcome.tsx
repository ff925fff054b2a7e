import { useState } from 'preact/hooks';
import { toFieldMessage } from '../to-field-message.ts';
import { useAction } from '../use-action.ts';

/** The result of an action, with a text about what the action did or why it failed. */
interface ActionOutcome {
  isError: boolean;
  text: string;
}

/** Runs actions and stores the outcome of the last one. `after`, such as a reload, runs after each action. */
export function useOutcome(after?: () => Promise<void>): {
  outcome: ActionOutcome | null;
  isRunning: boolean;
  run: (action: () => Promise<string>) => Promise<void>;
} {
  const [done, setDone] = useState<string | null>(null);
  const { error, isRunning, run: start } = useAction();
  const run = async (action: () => Promise<string>): Promise<void> => {
    setDone(null);
    await start(async () => setDone(await action()));
    await after?.();
  };
  if (error !== null) return { outcome: { isError: true, text: toFieldMessage(error) }, isRunning, run };
  return { outcome: done === null ? null : { isError: false, text: done }, isRunning, run };
}

export function Outcome({ outcome }: { outcome: ActionOutcome | null }) {
  if (outcome === null) return null;
  return (
    <s-banner tone={outcome.isError ? 'critical' : 'success'}>
      <s-paragraph>{outcome.text}</s-paragraph>
    </s-banner>
  );
}
