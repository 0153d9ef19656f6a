// E4: `evt_` and 20 characters of base32hex: 6 bytes of the position, then 6 random ones. Ids sort in the order of the feed.

const PREFIX = 'evt_'
const DIGITS = '0123456789abcdefghijklmnopqrstuv'
const ID = /^evt_[0-9a-v]{20}$/

/** What an id says: where its event stands, and the random bytes that tell it from one of another history. */
export interface Mark {
  readonly position: number
  readonly nonce: number
}

// 96 bits are 19.2 digits: the 48 of the position and the first 2 of the random bytes make ten of them, the other 46 and four zeros the rest.
export function eventId({ position, nonce }: Mark): string {
  return PREFIX + digits(position * 4 + Math.floor(nonce / 2 ** 46)) + digits((nonce % 2 ** 46) * 16)
}

/** Undefined where a text is no id as `eventId` writes it. */
export function readEventId(id: string): Mark | undefined {
  if (!ID.test(id)) return undefined
  const [high, low] = [numberOf(id.slice(4, 14)), numberOf(id.slice(14))]
  if (low % 16 !== 0) return undefined
  return { position: Math.floor(high / 4), nonce: (high % 4) * 2 ** 46 + low / 16 }
}

function digits(value: number): string {
  let text = ''
  for (let rest = value, index = 0; index < 10; index++) {
    text = DIGITS[rest % 32] + text
    rest = Math.floor(rest / 32)
  }
  return text
}

const numberOf = (text: string) => [...text].reduce((value, digit) => value * 32 + DIGITS.indexOf(digit), 0)
