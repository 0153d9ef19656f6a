import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { installPackages, type Machine, type Package } from './packages.ts'

const folder = mkdtempSync(join(tmpdir(), 'comptoir-packages-'))
after(() => rmSync(folder, { recursive: true }))

/** A machine whose apt-get is a script; `lines` are what it was called with. */
function machine(script: string, isRoot = true) {
  const place = mkdtempSync(join(folder, 'machine-'))
  const [aptGet, calls, installed] = [join(place, 'apt-get'), join(place, 'calls'), join(place, 'installed')]
  const head = `#!/bin/sh\necho "$@" >> ${calls}\ncalls=$(wc -l < ${calls})\ninstalled=${installed}\n`
  writeFileSync(aptGet, head + script, { mode: 0o755 })
  const said: string[] = []
  const here: Machine = {
    isRoot,
    aptGet,
    has: (name) => name === 'openssl' || (existsSync(installed) && readFileSync(installed, 'utf8').includes(name)),
    policyFile: join(place, 'policy-rc.d'),
    pauseMs: 1,
  }
  return {
    here,
    said,
    install: (...names: Package[]) => installPackages(names, (line) => void said.push(line), here),
    lines: () => (existsSync(calls) ? readFileSync(calls, 'utf8').trim().split('\n') : []),
  }
}

const INSTALLS = 'case "$*" in *install*) echo "$@" > $installed;; esac\n'

test('what is missing is installed in one go, without starting its services', async () => {
  const { here, said, install, lines } = machine(`test -f $(dirname "$0")/policy-rc.d || exit 1\n${INSTALLS}`)
  assert.equal(await install('curl', 'openssl', 'chromium'), undefined)
  assert.deepEqual(
    lines().map((line) => line.replace(/^-qq -o DPkg::Lock::Timeout=\d+ /, '')),
    ['update', 'install -y --no-install-recommends curl chromium'],
  )
  assert.equal(said.length, 1)
  assert.equal(existsSync(here.policyFile), false)
})

test('what is there already is left alone', async () => {
  const { said, install, lines } = machine('exit 1')
  assert.equal(await install('openssl'), undefined)
  assert.deepEqual([...said, ...lines()], [])
})

test('a lock that another program holds is waited for, that of the package lists too', async () => {
  const lock = 'E: Could not get lock /var/lib/apt/lists/lock. It is held by process 7 (apt-get)'
  const { said, install, lines } = machine(`if [ $calls -le 3 ]; then echo "${lock}" >&2; exit 100; fi\n${INSTALLS}`)
  assert.equal(await install('curl'), undefined)
  assert.equal(lines().length, 5)
  assert.equal(said.filter((line) => line.includes('waiting')).length, 1)
  assert.ok(lines().every((line) => /DPkg::Lock::Timeout=\d{3}/.test(line)))
})

test('where nothing can be installed, one sentence names all packages', async () => {
  const nobody = machine(INSTALLS, false)
  const sentence = 'curl, chromium not installed (Debian: apt-get install curl chromium)'
  assert.equal(
    await nobody.install('curl', 'openssl', 'chromium'),
    `${sentence}: only root on Debian can install them here`,
  )
  const broken = machine('echo "E: Unable to fetch" >&2\nexit 100')
  assert.equal(await broken.install('curl', 'chromium'), `${sentence}: E: Unable to fetch`)
  const elsewhere = machine(INSTALLS)
  rmSync(elsewhere.here.aptGet)
  assert.match((await elsewhere.install('curl', 'chromium'))!, /^curl, chromium not installed .* only root on Debian/)
  assert.deepEqual(nobody.lines(), [])
})
