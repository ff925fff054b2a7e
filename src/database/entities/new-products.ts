import { EntitySchema } from 'typeorm';
import { bigId, integer, insertTimestamp, timestampOrNull, text, textOrNull } from './columns.ts';

/** The state of a requested product. `sending`: Platen has started the create request, but its result is unknown. */
export type NewProductState = 'waiting' | 'sending' | 'publishing' | 'published' | 'failed';

/** Why a requested product was not created or not published, in plain language. */
export interface NewProductProblem {
  code: string;
  field: string | null;
  message: string;
}

/** A product that a person asked Platen to create from a template, and its state. */
export interface NewProduct {
  id: string;
  shopId: number;
  /** The account with which the product is created. Not a foreign key, so that the account may be deleted before this row. */
  printAccountId: number;
  storeId: string;
  templateId: string;
  /** The body of the request to the service. */
  request: { title: string; [field: string]: unknown };
  /** A hash that prevents the same request from being accepted again while the first one is in progress. */
  requestSha256: string;
  askedBy: 'cli' | 'merchant';
  state: NewProductState;
  /** The IDs of the store products that already had this title before the create request. */
  idsBefore: string[] | null;
  attemptedAt: Date | null;
  storeProductId: string | null;
  madeAt: Date | null;
  shopifyProductId: string | null;
  problem: NewProductProblem | null;
  /** The number of unsuccessful checks since the state last changed. It determines the time of the next check. */
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
    attemptedAt: timestampOrNull,
    storeProductId: textOrNull,
    madeAt: timestampOrNull,
    shopifyProductId: textOrNull,
    problem: { type: 'jsonb', nullable: true },
    tries: { type: 'integer', default: 0 },
    askedAt: insertTimestamp,
    finishedAt: timestampOrNull,
  },
});
