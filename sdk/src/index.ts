export { type Client, Comptoir } from './client.ts'
export {
  AuthenticationError,
  ComptoirError,
  ConflictError,
  ConnectionError,
  type Failure,
  NotFoundError,
  PermissionError,
  RateLimitError,
  ResyncError,
  ServerError,
  ValidationError,
} from './errors.ts'
export type { FollowedEvent } from './events/follow.ts'
export {
  type DeliveredEvent,
  type TestMessage,
  type VerificationMessage,
  verifyWebhook,
  WebhookError,
  type WebhookHandlerOptions,
  type WebhookHeaders,
  type WebhookMessage,
  type WebhookRefusal,
  webhookHandler,
} from './events/webhooks.ts'
export type { RequestEvent, ResponseEvent } from './http/exchange.ts'
export { memoryTokenStore, type Token, type TokenStore } from './http/token.ts'
export { type Priced, priceAt } from './menu/price.ts'
export type { FollowMenuOptions, MenuReading, TaggedMenu } from './menu/snapshot.ts'
export {
  type MenuTree,
  menuTree,
  type TreeCategory,
  type TreeGroup,
  type TreeModifier,
  type TreeProduct,
  type TreeVariant,
} from './menu/tree.ts'
export type {
  CallOptions,
  ComptoirOptions,
  CursorStore,
  FollowOptions,
  RequestOptions,
  WriteOptions,
} from './option-types.ts'
export type { List, ListMethod, Page, Walk, WalkPage } from './pages.ts'
export type { Dated, FieldOf, Filter, Instant, ItemOf, Listing, ListQuery, Query, RelatedOf, Sort } from './query.ts'
export type * from './resources.ts'
export type * from './types.ts'
