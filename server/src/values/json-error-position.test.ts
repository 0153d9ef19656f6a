import assert from 'node:assert/strict'
import test from 'node:test'
import { jsonErrorPosition } from './json-error-position.ts'

test('the fault of a text that is not JSON is its first unexpected character', () => {
  const faults: [text: string, at: number][] = [
    ['', 0],
    ['{', 1],
    ['{"name":}', 8],
    ['{"name" "x"}', 8],
    ['{"name":"x"} x', 13],
    ['{"name":"x",}', 12],
    ['{name:1}', 1],
    ["{'name':1}", 1],
    ['[1,2', 4],
    ['[1 2]', 3],
    ['[01]', 2],
    ['[1.]', 2],
    ['[tru]', 1],
    ['"open', 5],
    ['"a\\x"', 2],
    ['"a\nb"', 2],
    ['undefined', 0],
    ['{"a":[{"b":NaN}]}', 11],
  ]
  for (const [text, position] of faults) assert.equal(jsonErrorPosition(text), position, text)
})

test('whatever JSON.parse reads has no fault, and whatever it refuses has one', () => {
  const whole = JSON.stringify({ a: [1, -2.5e-7, true, false, null, { '': 'ü\n"\\' }], b: {}, c: [[]] }, undefined, 1)
  for (let length = 0; length <= whole.length; length++)
    for (const put of ['', ' ', '"', '{', ']', ',', ':', '0', 'e', '-', '\\', '\n']) {
      for (const cut of [0, 1]) {
        const text = whole.slice(0, length) + put + whole.slice(length + cut)
        let isRead = true
        try {
          JSON.parse(text)
        } catch {
          isRead = false
        }
        assert.equal(jsonErrorPosition(text) === undefined, isRead, text)
      }
    }
})
