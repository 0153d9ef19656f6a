/** The work that contestants are given, in the order of the report. */
export const WORKS = {
  receipt: 'GET one receipt',
  page: 'GET 50 products, all nested',
  fields: 'GET 50 products, name and price',
  prices: 'GET price lists with prices',
  customer: 'POST a customer',
  signIn: 'POST /auth',
  unauthorised: 'a 401',
  spentAddress: 'a 429: the address has spent its failures',
  spentPair: 'a 429: the pair has spent its calls',
} as const
export type Work = keyof typeof WORKS
