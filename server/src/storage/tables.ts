// The columns of tables that are no resource's, on both engines: bigint as number, everything else text (0/1 for booleans, JSON for
// nested parts). A resource's columns are in its definition.

/** Primary keys of tenant tables begin with `brand_id`. */
interface Owned {
  brand_id: number
}

export interface Tables {
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
    language: string | null
  }
  invitations: {
    account_id: number
    hash: string
    totp_kid: string | null
    totp_cipher: string | null
    made_by: number | null
    expires_at: string
  }
  setup_links: { hash: string; brand_id: number | null; created_at: string; expires_at: string; used_at: string | null }
  sessions: { hash: string; account_id: number; device_id: string | null; created_at: string; seen_at: string }
  devices: {
    id: string
    brand_id: number
    venue_id: number
    terminal_id: number
    name: string
    used_for: string
    hash: string
    created_at: string
    created_by: number
    revoked_at: string | null
  }
  pins: {
    account_id: number
    kid: string
    hash: string
    set_by: number | null
    set_at: string
    locked_at: string | null
  }
  pin_attempts: { id: string; account_id: number; device_id: string; at: string; outcome: string }
  approvals: {
    id: string
    session: string
    brand_id: number
    permission: string
    receipt_id: number | null
    approved_by: number
    expires_at: string
    used_at: string | null
  }
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
  workers: { name: string; started_at: string; seen_at: string; node: string; rss_bytes: number }
  menu_marks: Owned & { venue_id: number; position: number; nonce: number }
  feeds: Owned & { tail: number; tail_at: string; tail_nonce: number }
  events: Owned & {
    position: number
    at: string
    type: string
    subject: string
    venue_id: number | null
    source: string
    data: string
    nonce: number
  }
  book_checks: Owned & {
    id: string
    asked_at: string | null
    done: number
    total: number
    failed: number
    night: string
    term: number
    lease_holder: string | null
    lease_until: number
  }
  webhook_endpoints: Owned & {
    id: string
    client_id: string
    integrator_id: string
    url: string
    name: string
    types: string
    venues: string | null
    payload: string
    skip_own: number
    secrets: string
    state: string
    reason: string | null
    state_since: string
    verified: number
    position: number
    nonce: number
    failures: number
    probes: number
    notices: number
    due_at: number | null
    not_before: number
    last_success_at: string | null
    last_failure: string | null
    version: number
    term: number
    lease_holder: string | null
    lease_until: number
    created_at: string
    updated_at: string
  }
  webhook_held: Owned & {
    endpoint_id: string
    position: number
    nonce: number
    type: string
    object: string
    state: string
    attempts: number
    next_at: number | null
    class: string | null
    status: number | null
  }
  webhook_replays: Owned & {
    id: string
    endpoint_id: string
    state: string
    first_position: number
    last_position: number
    position: number
    nonce: number
    types: string | null
    failed_only: number
    failed: number
    created_at: string
  }
  print_queues: Owned & {
    id: number
    last_seq: number
    state: string | null
    state_since: string | null
    faults: string
    due_at: number
    term: number
    lease_holder: string | null
    lease_until: number
  }
  print_jobs: Owned & {
    printer_id: number
    seq: number
    venue_id: number
    kind: string
    state: string
    receipt_id: number | null
    ticket_id: number | null
    station_id: number | null
    route_id: number | null
    copies: number
    copy: number | null
    document: string | null
    attempt: number
    begun: number
    begun_at: string | null
    duplicate: number
    created_at: string
    sent_at: string | null
    done_at: string | null
    moved_to: string | null
  }
  counters: Owned & { name: string; value: number }
  erasures: Owned & { customer_id: string; orders: string; due_at: string }
  nightly_runs: Owned & { task: string; day: string }
  customer_groups: Owned & {
    id: number
    name: string | null
    name_folded: string | null
    system_type: string | null
    created_at: string | null
    updated_at: string | null
    deleted_at: string | null
    body: string
  }
}
