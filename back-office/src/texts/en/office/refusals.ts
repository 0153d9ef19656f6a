/** What a member of a refusal's details may be. */
type Details = Readonly<Record<string, unknown>>

/** The API's own sentence is as good, or says more. */
const asSaid = () => undefined

/** Why something was refused, by the slug of the API; loaded with the first refusal. */
export const refusalTexts = {
  bySlug: {
    balance_left: asSaid,
    customer_busy: asSaid,
    customer_erased: asSaid,
    cross_site: () => 'Changes are made from our own pages only. Load this page again.',
    cursor_expired: asSaid,
    duplicate_cid: () => 'This was sent before with other contents, and that was kept. Look before you try again.',
    duplicate_code: () => 'Another customer already has this code.',
    duplicate_order: asSaid,
    duplicate_phone: () => 'Another customer already has this phone number.',
    duplicate_url: asSaid,
    endpoint_state: asSaid,
    feed_diverged: asSaid,
    forbidden: asSaid,
    headers_too_large: () => 'This was too long to send. Shorten what you search or filter by.',
    idempotency_in_progress: () => 'The same was sent already and is still being done. Wait a moment.',
    idempotency_mismatch: () =>
      'Your first request was carried out, but its answer was lost. Nothing more was done now. Close this and check.',
    image_space: (_details, number) =>
      `The pictures of this restaurant have ${number('limit_mb')} MB together: remove some first.`,
    insufficient_balance: (_details, number) => `There is not enough on the balance: it holds ${number('balance')}.`,
    internal_error: () => 'Something went wrong in the service. Tell the operator the request number.',
    invalid_json: () => 'The service could not read what this page sent. Load the page again.',
    invalid_parameter: asSaid,
    invitation_spent: asSaid,
    setup_link_spent: asSaid,
    method_in_use: asSaid,
    method_not_allowed: () => 'The service does not know this step. Load the page again.',
    no_cash_shift: () => 'Open a shift at this drawer first: cash belongs to an open shift.',
    not_found: asSaid,
    not_refundable: asSaid,
    operation_published: asSaid,
    order_not_pending: asSaid,
    order_status_behind: asSaid,
    outcome_unknown: () => 'It is not known whether this was done. Try again: nothing is done twice.',
    overpaid: (_details, number) =>
      `More was paid already than the receipt would then be: ${number('paid')} of ${number('total')}.`,
    page_too_large: () => 'This is too much to show at once. Narrow it down.',
    password_weak: asSaid,
    payload_too_large: () => 'This is too large to be sent.',
    rate_limited: (_details, number) => `Too much at once. Wait ${number('reset')} seconds.`,
    receipt_cancelled: asSaid,
    receipt_closed: asSaid,
    receipt_in_kitchen: asSaid,
    receipt_locked: asSaid,
    rejected: asSaid,
    request_timeout: () => 'The connection is too slow: it did not arrive. Try again.',
    secret_overlap: asSaid,
    shift_open: asSaid,
    sign_in_refused: () => 'Wrong restaurant, username, password or code.',
    signed_out: () => 'Sign in first.',
    sold_out: () => 'There is not enough left of something in it.',
    storage_full: () => 'The disk of the service is full: nothing can be kept. Tell the operator.',
    too_many_attempts: asSaid,
    too_many_endpoints: asSaid,
    too_many_replays: asSaid,
    too_many_searches: () => 'Several searches are running. Wait until one has finished.',
    unsupported_media_type: () => 'The service could not read what this page sent. Load the page again.',
    validation_failed: () => 'Something is missing or has the wrong form.',
    venue_closed: (details, _number, instant) =>
      details.opens_at ? `The venue is closed until ${instant('opens_at')}.` : 'The venue takes no orders then.',
    version_mismatch: () => 'Somebody changed this meanwhile. Look at it again, then repeat your change.',
  } as Record<
    string,
    (details: Details, number: (member: string) => string, instant: (member: string) => string) => string | undefined
  >,

  /** What is wrong with one field, by the rule that it breaks. */
  byRule: {
    required: 'This is needed.',
    unknown: 'This is not known here.',
    type: 'This has the wrong form.',
    choice: 'Choose one of those offered.',
    minimum: 'This is too small.',
    maximum: 'This is too large.',
    decimals: 'This has too many decimals.',
    characters: 'This has a character that is not possible here.',
    length: 'This is too long or too short.',
    name: 'This is no name that can be kept.',
    format: 'This has the wrong form.',
    past: 'This must be in the past.',
    future: 'This must be in the future.',
    pattern: 'This has the wrong form.',
    exists: 'This is no longer there.',
    unique: 'Another one has this already.',
    fixed: 'This cannot be changed any more.',
    same: 'This must be the same.',
    sum: 'The parts do not add up.',
    used: 'This is in use.',
  } as Record<string, string>,
}
