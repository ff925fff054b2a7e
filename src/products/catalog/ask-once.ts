import { LRUCache } from 'lru-cache';
import type { DataSource } from 'typeorm';
import type { App } from '../../app.ts';
import { PrintServiceError } from '../../print/errors.ts';
import { toAnswerableError } from '../service/to-answerable-error.ts';

/** Catalogs change rarely; prices and stock are looked at anew before anything is ordered. */
const KEPT_MS = 10 * 60_000;
const MOST_KEPT = 1_000;
/** Of all answers together, as JSON: a page of a hundred products has about a tenth of a megabyte. */
const MOST_BYTES = 32 * 1024 * 1024;

interface Answers {
  kept: LRUCache<string, object>;
  underWay: Map<string, Promise<object>>;
}

/** By the database of an app: what the catalogs answered this process. */
const answersOf = new WeakMap<DataSource, Answers>();

/** One call of the catalog: who asks, which call it is with all that it asks for, and how a person names that. */
interface Question<Answer extends object> {
  accountId: number;
  call: readonly unknown[];
  what: string;
  ask: () => Promise<Answer>;
}

/**
 * What the print service answers, from the last ten minutes or asked now; equal questions of one account are asked once, however many
 * wait for them. No account sees what another was answered, since products and prices depend on it. A failure is not kept. Throws what
 * `toAnswerableError` makes of it.
 */
export async function askOnce<Answer extends object>(
  app: App,
  { accountId, call, what, ask }: Question<Answer>,
): Promise<Answer> {
  const { kept, underWay } = open(app);
  const key = JSON.stringify([accountId, ...call]);
  // The name of the call is in the key: what is kept under it is an answer to this call.
  const known = (kept.get(key) ?? underWay.get(key)) as Answer | Promise<Answer> | undefined;
  if (known) return known;
  const asked = ask()
    .then((answer) => {
      kept.set(key, answer);
      return answer;
    })
    .catch((error: unknown) => {
      throw error instanceof PrintServiceError ? toAnswerableError(error, what) : error;
    })
    .finally(() => underWay.delete(key));
  underWay.set(key, asked);
  return asked;
}

function open(app: App): Answers {
  const known = answersOf.get(app.db);
  if (known) return known;
  const answers: Answers = {
    kept: new LRUCache({
      max: MOST_KEPT,
      maxSize: MOST_BYTES,
      sizeCalculation: (answer, key) => key.length + JSON.stringify(answer).length,
      ttl: KEPT_MS,
    }),
    underWay: new Map(),
  };
  answersOf.set(app.db, answers);
  return answers;
}
