import { GraphQLError } from 'graphql';

/** What a GraphQL object is served from: a value or a function of its arguments for each field that the stand-in models. */
export type View = Readonly<Record<string, unknown>>;

/** A query that the real API would refuse in `errors`. */
export function refuseQuery(message: string, code = 'BAD_REQUEST'): GraphQLError {
  return new GraphQLError(message, { extensions: { code } });
}

/** The refusal of what the real API can do and this stand-in cannot. */
export function notModelled(what: string): GraphQLError {
  return refuseQuery(`the sandbox store does not model ${what}`, 'NOT_MODELLED');
}

/** A time as the API writes it: whole seconds, UTC. */
export function dateTime(iso: string): string {
  return `${iso.slice(0, 19)}Z`;
}

export function dateTimeOrNull(iso: string | null): string | null {
  return iso === null ? null : dateTime(iso);
}

/** A MoneyBag whose two currencies are at par. */
export function moneyBag(amount: string, shopCurrency: string, presentmentCurrency = shopCurrency): View {
  return {
    shopMoney: { amount, currencyCode: shopCurrency },
    presentmentMoney: { amount, currencyCode: presentmentCurrency },
  };
}
