// The columns of both engines: bigint as number, everything else text (0/1 for booleans, JSON for nested parts).

/** One row for each key that a brand owns begins with its brand. */
interface Owned {
  brand_id: number
}

export interface Tables {
  comptoir_migrations: { version: number; name: string; applied_at: string }
  settings: { name: string; value: string }
  directory_version: { id: number; version: number }
  audit: {
    id: number
    at: string
    actor: string
    action: string
    subject: string
    brand_id: number | null
    before: string | null
    after: string | null
    previous_hash: string
    hash: string
  }
  brands: { id: number; slug: string; name: string; test: number; created_at: string }
  integrators: { id: string; name: string; active: number; test: number; created_at: string; epoch: number }
  venues: Owned & { id: number; name: string; is_main: number }
  roles: Owned & { id: number; name: string; permissions: string }
  users: Owned & {
    id: number
    username: string
    username_key: string
    name: string
    role_id: number
    venue_ids: string | null
    active: number
  }
  credentials: Owned & {
    client_id: string
    name: string
    user_id: number
    venue_id: number
    enabled: number
    epoch: number
    secret_kid: string
    secret_hash: string
    secret_cipher: string
    earlier_secrets: string | null
    created_at: string
  }
  quotas: Owned & { integrator_id: string; per_minute: number }
  accounts: {
    id: number
    brand_id: number | null
    user_id: number | null
    operator: string | null
    password: string | null
    totp_kid: string | null
    totp_cipher: string | null
    totp_step: number | null
    loopback_only: number
  }
  invitations: {
    account_id: number
    hash: string
    totp_kid: string | null
    totp_cipher: string | null
    expires_at: string
  }
  sessions: { hash: string; account_id: number; created_at: string; seen_at: string }
  sign_ins: {
    id: string
    at: string
    account: string
    actor: string | null
    address: string
    outcome: string
    place: string | null
  }
  known_places: { account_id: number; place: string; used_at: string }
  credential_uses: Owned & { client_id: string; integrator_id: string; used_at: string }
  workers: { name: string; started_at: string; seen_at: string; node: string; rss_bytes: number }
  counters: Owned & { name: string; value: number }
  page_marks: Owned & { name: string; position: number; id: number }
  idempotency_keys: Owned & {
    integrator_id: string
    route: string
    key: string
    fingerprint: string
    body: string
    created_at: string
  }
  customer_groups: Owned & { id: number; system_type: string | null; deleted_at: string | null; body: string }
  customers: Owned & {
    id: string
    name: string
    name_folded: string
    email: string | null
    phone: string | null
    phone_key: string | null
    code: string | null
    code_key: string | null
    cid: string | null
    cid_key: string | null
    description: string | null
    gender: number | null
    date_of_birth: string | null
    group_id: number
    created_at: string
    deleted_at: string | null
    body: string
  }
  products: Owned & {
    id: number
    parent_id: number | null
    type: string
    type_folded: string
    name: string
    name_folded: string
    full_name: string | null
    full_name_folded: string | null
    barcode: string | null
    barcode_folded: string | null
    status: number | null
    price: number | null
    cost_price: number | null
    has_modifications: number | null
    created_at: string
    updated_at: string
    body: string
    summary: string
  }
  price_lists: Owned & {
    id: number
    name: string
    name_folded: string
    status: number | null
    created_at: string
    updated_at: string
    body: string
  }
  prices: Owned & { id: number; list_id: number; product_id: number; body: string }
  receipts: Owned & {
    id: number
    venue_id: number
    user_id: number | null
    customer_id: string | null
    created_at: string
    body: string
  }
  stock_operations: Owned & {
    id: number
    venue_id: number
    receipt_id: number | null
    product_id: number | null
    operated_at: string
    body: string
  }
}
