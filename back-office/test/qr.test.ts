import assert from 'node:assert/strict'
import { test } from 'node:test'
import { qrModules } from '../src/qr.ts'
import { readQr } from './qr-reader.ts'

// As libqrencode 4.1.1 draws it: a row is its modules as a binary number. It shows that the reader below reads.
const TEXT =
  'otpauth://totp/Comptoir:a.quite-long-name.for-an-operator?secret=MMMMCKS2KSVB5JAQAQAQAQAYIT6WOG6W&issuer=Comptoir'
const ROWS = `
  rv9tgfb3 e9spys01 kh6m24bh ke3c2b19 kfmtsokd ea9j9oht rwyepa4f 2ghrshs q966xih0 a6kd9u16 2h2qhb6v 8jnj5p1t pthhcw69
  4jrerb8t d2hgezt7 409ji3s2 90j4c98v i5gwvhey mnxn01tb 4lmi18sw glm3ofyy gpmidojt jnfzv7uz r7i08myx jzvmpl8q 68wu7xia
  hwqtto3z nc1clels 8bbywv0a g9yioln frqvhjoj 8rw4xy1s hgr6inlh 1zelhqq rxysx7br ebcyu9sg khfv4v76 kfatyq71 kggi3kpn
  ect9o7tu rwv6qxu7`

test('a code reads back as the address that it was made of', () => {
  const drawn = ROWS.trim().split(/\s+/)
  const modules = drawn.map((row) => Array.from(parseInt(row, 36).toString(2).padStart(41, '0'), (bit) => bit === '1'))
  assert.equal(readQr(modules), TEXT)
  assert.equal(readQr(qrModules(TEXT)), TEXT)
})

test('the addresses of the shortest and the longest operator’s name are codes of the same size', () => {
  for (const name of ['a', 'a'.repeat(32)]) {
    const uri = `otpauth://totp/Comptoir:${name}?secret=${'A'.repeat(32)}&issuer=Comptoir`
    assert.equal(readQr(qrModules(uri)), uri)
  }
})
