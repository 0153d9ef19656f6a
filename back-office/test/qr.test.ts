import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkCodewords, MOST_BYTES, qrModules } from '../src/qr.ts'

// As libqrencode 4.1.1 draws it (version 6, level L, bytes; the mask it chose is 0): a row is its modules as a binary number.
const TEXT =
  'otpauth://totp/Comptoir:a.quite-long-name.for-an-operator?secret=MMMMCKS2KSVB5JAQAQAQAQAYIT6WOG6W&issuer=Comptoir'
const ROWS = `
  rv9tgfb3 e9spys01 kh6m24bh ke3c2b19 kfmtsokd ea9j9oht rwyepa4f 2ghrshs q966xih0 a6kd9u16 2h2qhb6v 8jnj5p1t pthhcw69
  4jrerb8t d2hgezt7 409ji3s2 90j4c98v i5gwvhey mnxn01tb 4lmi18sw glm3ofyy gpmidojt jnfzv7uz r7i08myx jzvmpl8q 68wu7xia
  hwqtto3z nc1clels 8bbywv0a g9yioln frqvhjoj 8rw4xy1s hgr6inlh 1zelhqq rxysx7br ebcyu9sg khfv4v76 kfatyq71 kggi3kpn
  ect9o7tu rwv6qxu7`

test('a picture is module for module what another encoder draws', () => {
  const rows = qrModules(TEXT).map((row) => Number.parseInt(row.map(Number).join(''), 2).toString(36))
  assert.deepEqual(rows, ROWS.trim().split(/\s+/))
})

test('check codewords are those of the standard’s example', () => {
  const data = [32, 91, 11, 120, 209, 114, 220, 77, 67, 64, 236, 17, 236, 17, 236, 17]
  assert.deepEqual(checkCodewords(data, 10), [196, 35, 39, 119, 235, 215, 231, 226, 93, 23])
})

test('the longest operator’s name fits, and what does not is refused', () => {
  const uri = `otpauth://totp/Comptoir:${'a'.repeat(32)}?secret=${'A'.repeat(32)}&issuer=Comptoir`
  assert.equal(qrModules(uri).length, 41)
  assert.equal(qrModules('x'.repeat(MOST_BYTES)).length, 41)
  assert.throws(() => qrModules('x'.repeat(MOST_BYTES + 1)), RangeError)
})
