import { useState } from 'preact/hooks';
import { ApiError } from '../api.ts';
import { texts } from '../texts/texts.ts';

/** What an action did, or why it failed. */
interface ActionOutcome {
  isError: boolean;
  text: string;
}

/** Runs actions and keeps the outcome of the last one. `after` runs after each action, such as a reload. */
export function useOutcome(after: () => Promise<void>): {
  outcome: ActionOutcome | null;
  run: (action: () => Promise<string>) => Promise<void>;
} {
  const [outcome, setOutcome] = useState<ActionOutcome | null>(null);
  const run = async (action: () => Promise<string>): Promise<void> => {
    try {
      setOutcome({ isError: false, text: await action() });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setOutcome({ isError: true, text: error.message || texts.app.failedText });
    }
    await after();
  };
  return { outcome, run };
}

export function Outcome({ outcome }: { outcome: ActionOutcome | null }) {
  if (outcome === null) return null;
  return (
    <s-banner tone={outcome.isError ? 'critical' : 'success'}>
      <s-paragraph>{outcome.text}</s-paragraph>
    </s-banner>
  );
}
