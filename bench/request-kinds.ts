/** The kinds of requests that systems serve, in the order of the report. */
export const REQUEST_KINDS = {
  receipt: 'GET one receipt',
  page: 'GET 50 products, all nested',
  fields: 'GET 50 products, name and price',
  prices: 'GET price lists with prices',
  customer: 'POST a customer',
  signIn: 'POST /auth',
  unauthorised: 'a 401',
  rateLimitedAddress: 'a 429: the address has spent its failures',
  rateLimitedPair: 'a 429: the pair has spent its calls',
} as const
export type RequestKind = keyof typeof REQUEST_KINDS
