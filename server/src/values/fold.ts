/** D1.5: text is compared in its composed form. */
export const nfc = (text: string): string => text.normalize('NFC')

/**
 * Text as case-insensitive search and sorting see it (D2.3, D2.7): composed, case folded, accents kept.
 * It is computed here when a row is written and when a filter is read, so that case means the same on every engine.
 */
export function fold(text: string): string {
  if (!/[^ -~]/.test(text)) return text.toLowerCase() // printable ASCII
  return nfc(nfc(text).split('ı').map(caseless).join('ı'))
}

/**
 * Unicode's full case folding by means of the language: lower case first for ẞ, upper for ß and ligatures, lower again.
 * Two letters need more. Lower case writes Σ as ς at the end of a word; upper case would make ı an I, which only Turkic
 * folding does, so `fold` keeps it out.
 */
const caseless = (text: string) => text.toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ')

/** Folded text without its accents, for people who search at a keyboard that has none. */
export const plain = (text: string): string =>
  fold(text).replaceAll(/[^ -~]/g, (letter) => PLAIN_LETTERS[letter] ?? letter)

/** Letters of European names, each with the one that it is searched by. SQL replaces the same ones. */
export const PLAIN_LETTERS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries({
    a: 'àáâãäåāăąảạầấậắằ',
    c: 'çćčĉ',
    d: 'ďđð',
    e: 'èéêëēĕėęěẻẹềếệəẽ',
    g: 'ğģĝ',
    i: 'ìíîïīįıỉị',
    k: 'ķ',
    l: 'łľļĺ',
    n: 'ñńňņ',
    o: 'òóôõöøōőơỏọồốộờớ',
    r: 'řŕ',
    s: 'śšşșŝ',
    t: 'ťţț',
    u: 'ùúûüūůűųưủụừứ',
    y: 'ýÿỳ',
    z: 'źžż',
  }).flatMap(([letter, accented]) => [...accented].map((each) => [each, letter])),
)
