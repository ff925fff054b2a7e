import { EntitySchema } from 'typeorm';
import { bigId, integer, madeNow, momentOrNull, text, textOrNull } from './columns.ts';

/** Where a product that was asked for stands; `sending`: the attempt was made, and its answer is not known. */
export type NewProductState = 'waiting' | 'sending' | 'publishing' | 'published' | 'failed';

/** Why a product that was asked for was not made or not published, in words for a person. */
export interface NewProductProblem {
  code: string;
  field: string | null;
  message: string;
}

/** A product that somebody asked to have made from a template, and what became of it. */
export interface NewProduct {
  id: string;
  shopId: number;
  /** The account that it is made with; no key, so that the account may go before it. */
  printAccountId: number;
  storeId: string;
  templateId: string;
  /** The body of the service's call. */
  request: { title: string; [field: string]: unknown };
  /** The same request is not taken twice while it is under way. */
  requestSha256: string;
  askedBy: 'cli' | 'merchant';
  state: NewProductState;
  /** Products of that title that the store had before the attempt. */
  idsBefore: string[] | null;
  attemptedAt: Date | null;
  storeProductId: string | null;
  madeAt: Date | null;
  shopifyProductId: string | null;
  problem: NewProductProblem | null;
  /** Looks in vain since the last step, for the time of the next one. */
  tries: number;
  askedAt: Date;
  finishedAt: Date | null;
}

export const NewProducts = new EntitySchema<NewProduct>({
  name: 'NewProduct',
  tableName: 'new_products',
  columns: {
    id: bigId,
    shopId: integer,
    printAccountId: integer,
    storeId: text,
    templateId: text,
    request: { type: 'jsonb' },
    requestSha256: text,
    askedBy: text,
    state: { type: 'text', default: 'waiting' },
    idsBefore: { type: 'jsonb', nullable: true },
    attemptedAt: momentOrNull,
    storeProductId: textOrNull,
    madeAt: momentOrNull,
    shopifyProductId: textOrNull,
    problem: { type: 'jsonb', nullable: true },
    tries: { type: 'integer', default: 0 },
    askedAt: madeNow,
    finishedAt: momentOrNull,
  },
});
