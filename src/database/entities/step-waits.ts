import { EntitySchema } from 'typeorm';
import { bigId, integer, timestamp, owner, ownerOrNull, text, textOrNull } from './columns.ts';

/** The steps that send external requests. Each is a job or a poll that runs again until it succeeds. */
export type Step = 'plan' | 'quote' | 'submit' | 'search' | 'follow' | 'push';

/** A step of an order or print order that cannot continue. The row is deleted once the step succeeds. */
export interface StepWait {
  id: string;
  shopId: number;
  storefrontOrderId: string;
  /** Null if the step belongs to the order itself. */
  printOrderId: string | null;
  step: Step;
  /** The code of the hold that Platen opens if the wait lasts too long (`orders/facts/hold-codes.ts`). */
  code: string;
  /** A sentence for the merchant. */
  why: string;
  /** The exact message from the service or the store. The message may repeat data that was sent, so no log or timeline shows it. */
  words: string | null;
  since: Date;
  tries: number;
  lastAt: Date;
  nextAt: Date;
  /** The hold that the wait opened. */
  holdId: string | null;
}

export const StepWaits = new EntitySchema<StepWait>({
  name: 'StepWait',
  tableName: 'step_waits',
  columns: {
    id: bigId,
    shopId: integer,
    storefrontOrderId: owner,
    printOrderId: ownerOrNull,
    step: text,
    code: text,
    why: text,
    words: textOrNull,
    since: timestamp,
    tries: integer,
    lastAt: timestamp,
    nextAt: timestamp,
    holdId: ownerOrNull,
  },
});
