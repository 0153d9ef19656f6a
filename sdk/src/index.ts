export { type Client, Comptoir, type ComptoirOptions, type RequestOptions } from './client.ts'
export {
  AuthenticationError,
  ComptoirError,
  ConflictError,
  ConnectionError,
  type Failure,
  NotFoundError,
  PermissionError,
  RateLimitError,
  ServerError,
  ValidationError,
} from './errors.ts'
export type { RequestEvent, ResponseEvent } from './exchange.ts'
export type { CallOptions, WriteOptions } from './http.ts'
export type { List, Page } from './pages.ts'
export type { Filter, PriceListOf, PriceListQuery, ProductOf, ProductQuery, Query } from './query.ts'
export { memoryTokenStore, type Token, type TokenStore } from './token.ts'
export type * from './types.ts'
