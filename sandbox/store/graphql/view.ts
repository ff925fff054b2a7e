import { GraphQLError } from 'graphql';

/** The source of a GraphQL object: a value, or a function of the arguments, for each field that the stand-in models. */
export type View = Readonly<Record<string, unknown>>;

/** Creates the error for a query that the real API rejects with an entry in `errors`. */
export function queryError(message: string, code = 'BAD_REQUEST'): GraphQLError {
  return new GraphQLError(message, { extensions: { code } });
}

/** Creates the error for a feature of the real API that this stand-in does not model. */
export function notModeledError(what: string): GraphQLError {
  return queryError(`the sandbox store does not model ${what}`, 'NOT_MODELLED');
}

/** Formats a time for the API: whole seconds, UTC. */
export function dateTime(iso: string): string {
  return `${iso.slice(0, 19)}Z`;
}

export function dateTimeOrNull(iso: string | null): string | null {
  return iso === null ? null : dateTime(iso);
}

/** Returns a MoneyBag with the same amount in both currencies. */
export function moneyBag(amount: string, shopCurrency: string, presentmentCurrency = shopCurrency): View {
  return {
    shopMoney: { amount, currencyCode: shopCurrency },
    presentmentMoney: { amount, currencyCode: presentmentCurrency },
  };
}
