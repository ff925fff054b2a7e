import { z } from 'zod';

/** What can be the id of a store or of a store product in the address of a call, and in the name of a job's queue. */
export const PRINT_STORE_ID = /^[A-Za-z0-9_-][A-Za-z0-9._~-]{0,79}$/;

/** How the products of the shop and those of the print service are tied. */
export const productSettings = {
  printStoreId: z
    .string()
    .trim()
    .regex(PRINT_STORE_ID, "must be the id of the store in the print service's dashboard")
    .nullable()
    .describe("The print service's id of this store; null: the first event of one of its products tells it"),
};

export const productDefaults = { printStoreId: null };
