// R4: every value from data goes through here. Without it a product named `{x:\x1bp…}` opens the drawer, and one named `===` cuts the paper.

const MAX_CHARACTERS = 500
/** The characters that receiptline reads as markup. */
const MARKUP = /[\\|{}~_"^`=-]/g
/** Control, surrogate and private characters, and those that control the direction of text. */
const DROPPED = /[\p{Cc}\p{Cs}\p{Co}\p{Cn}\p{Bidi_Control}]/gu

/** A value of data as plain characters: what no printer may be sent is dropped, and each kind of space is a space. */
export const plain = (text: string): string =>
  [
    ...text
      .normalize('NFC')
      .replaceAll(/\p{White_Space}+/gu, ' ')
      .replaceAll(DROPPED, ''),
  ]
    .slice(0, MAX_CHARACTERS)
    .join('')
    .trim()

/** Plain characters as receiptline's text. */
export const escaped = (text: string): string => text.replaceAll(MARKUP, '\\$&')
