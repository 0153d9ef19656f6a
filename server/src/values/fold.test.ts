import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { fold, nfc } from './fold.ts'

const alike = (one: string, other: string) => assert.equal(fold(one), fold(other), `${one} and ${other}`)
const different = (one: string, other: string) => assert.notEqual(fold(one), fold(other), `${one} and ${other}`)

test('nfc composes letters and their accents', () => {
  assert.equal(nfc('Cafe\u0301'), 'Café')
})

test('fold makes upper and lower case the same', () => {
  assert.equal(fold('Latte MACCHIATO 2%'), 'latte macchiato 2%')
  alike('ÇAY', 'çay')
  alike('ЧАЙ', 'чай')
})

test('fold keeps accents', () => {
  different('café', 'cafe')
})

test('fold does not care how an accented letter was written', () => {
  alike('CAFE\u0301', 'café')
  assert.equal(fold('CAFE\u0301'), 'café')
  alike('α\u0345\u0301', 'ᾴ') // as a letter of its own, the iota below would come between alpha and accent
})

test('fold gives composed text, also where folding takes a letter apart', () => {
  assert.equal(fold('\u0390'), '\u0390')
})

test('fold expands a letter whose other case is two', () => {
  assert.equal(fold('Weißbier'), 'weissbier')
  alike('WEIẞBIER', 'weissbier')
  alike('ﬁlet', 'FILET')
})

test('fold knows one sigma wherever it stands', () => {
  assert.equal(fold('ΟΔΟΣ'), 'οδοσ')
  alike('οδος', 'ΟΔΟΣ')
})

test('fold is not Turkic: ı is a letter of its own, I is i, and İ keeps its dot', () => {
  different('ılıq', 'iliq')
  alike('ILIQ', 'iliq')
  assert.equal(fold('ılıq'), 'ılıq')
  assert.equal(fold('İ'), 'i\u0307')
})

test('fold agrees with the case folding of regular expressions on every letter that has one', () => {
  let pairs = 0
  for (let code = 0; code <= 0x10ffff; code++) {
    if (code >= 0xd800 && code <= 0xdfff) continue
    const letter = String.fromCodePoint(code)
    for (const other of [letter.toLowerCase(), letter.toUpperCase()]) {
      if (other === letter || [...other].length !== 1) continue
      pairs++
      const same = new RegExp(`^${letter}$`, 'iu').test(other)
      assert.equal(fold(letter) === fold(other), same, `U+${code.toString(16)}`)
    }
  }
  assert.ok(pairs > 2_500)
})

test('fold leaves folded text as it is', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      assert.equal(fold(fold(text)), fold(text))
      assert.equal(fold(text.normalize('NFD')), fold(text))
      assert.equal(nfc(fold(text)), fold(text))
    }),
  )
})
