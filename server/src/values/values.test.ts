import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readName } from './values.ts'

test('a name is kept composed and without the spaces around it', () => {
  assert.deepEqual(readName(' Cafe\u0301 \n'), { name: 'Café' })
  for (const name of [
    'x',
    '😀',
    '٠',
    '👩‍👩‍👧',
    'می‌خواهم',
    'n\u0303\u0323',
    '!',
    '€',
    '½',
    'עומר',
    'a'.repeat(255),
    '😀'.repeat(255),
  ])
    assert.deepEqual(readName(name), { name: name.normalize('NFC') })
})

test('a name has 1 to 255 characters, one of them visible, and none that controls a terminal or the direction', () => {
  const refused: Record<string, string[]> = {
    'must have 1 to 255 characters': ['', ' ', '\t\n', '\u00a0\u3000', '\ufeff', 'a'.repeat(256)],
    'must not contain control characters': ['a\0b', 'a\tb', 'a\nb', 'a\u001b[31mb', 'a\u007f', 'a\u0085b', 'a\u2028b'],
    'must have a visible character': [
      '\u200b',
      '\u00ad',
      '\u2060\u200d',
      '\u3164',
      '\u115f',
      '\u2800',
      '\ufe0f',
      '\u0301', // a combining mark with nothing to combine with
      '\u20dd\u0e31',
      '\ue000', // for private use
      '\u{f0000}\u{10fffd}',
      '\ufdd0', // no character
      '\ufffe\u{1ffff}',
      '\u{378}', // not given out
    ],
    'must not contain characters that control the direction of text': [
      ...'\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069',
    ].flatMap((mark) => [mark, `gro${mark}ß`, `${mark}عمر`]),
  }
  for (const [explanation, texts] of Object.entries(refused))
    for (const text of texts) assert.deepEqual(readName(text), { explanation }, JSON.stringify(text))
  assert.deepEqual(readName('a'.repeat(65), 64), { explanation: 'must have 1 to 64 characters' })
})
