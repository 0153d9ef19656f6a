import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { installPackages } from '../../scripts/packages.ts'
import { build, version } from '../../scripts/release/build.ts'
import { npmPackage, archive as pack } from '../../scripts/release/release.ts'
import type { ReportFailure, Trial } from '../harness/trial.ts'

const PROMISE = 'an archive starts and sells where nothing is installed'
const PLATFORM = `${process.platform}-${process.arch}`
const SELL = fileURLToPath(new URL('./sell.js', import.meta.url))
const PATH = '/usr/sbin:/usr/bin:/sbin:/bin'
/** They must not be there. */
const DEVELOPERS = ['npm', 'npx', 'node', 'cc', 'gcc', 'make', 'curl', 'python3']

const run = promisify(execFile)

/** What sell.js writes. */
interface Seen {
  version: string
  firstMs: number
  demoMs: number
  sold: { total: number; status: number }
  books: string
  codes: (number | null)[]
}

/**
 * The archive of this platform is made, unpacked, started and sold with. In full: by an ordinary account of a minimal Debian, with no
 * network but its own loopback.
 */
export async function archive(trial: Trial): Promise<void> {
  if (process.platform !== 'linux') return trial.notTried(PROMISE, `archives are for Linux, and this is ${PLATFORM}`)
  const folder = mkdtempSync(join(tmpdir(), 'comptoir-archive-'))
  trial.after(() => rmSync(folder, { recursive: true, force: true }))
  const why = trial.quick ? undefined : await whyNoDebian()
  if (why) return trial.notTried(PROMISE, why)
  const dist = join(folder, 'dist')
  await trial.promise(PROMISE, async (reportFailure) => {
    build(dist)
    const file = pack(PLATFORM, { dist, folder, level: trial.quick ? 1 : 6 })
    const seen = await (trial.quick ? sellHere(folder, file) : sellInDebian(folder, file))
    check(seen, reportFailure)
    const { firstMs, demoMs, sold } = seen
    return `${basename(file)}, ${megabytesOf(file)} MB, ${trial.quick ? 'on this machine' : 'on a minimal Debian'}: first answer after ${firstMs} ms, with the demo ${demoMs} ms; sold for ${sold.total}`
  })
  // npm takes longer for it than for all the rest.
  if (!trial.quick)
    await trial.promise('npx runs the npm package without a network', async (reportFailure) => {
      const file = npmPackage({ dist, folder })
      const words = ['--offline', '--yes', '--package', file, 'comptoir', '--version']
      const env = { PATH: process.env.PATH, HOME: folder, TMPDIR: folder }
      const { stdout } = await run('npx', words, { cwd: folder, env })
      if (stdout !== `${version}\n`) reportFailure(`it says ${stdout}`)
      return `${basename(file)}, ${megabytesOf(file)} MB: it says that it is ${stdout.trim()}`
    })
}

const megabytesOf = (file: string) => (statSync(file).size / 1e6).toFixed(1)

function check(seen: Seen, reportFailure: ReportFailure): void {
  if (seen.version !== version) reportFailure(`it says that it is ${seen.version}, not ${version}`)
  if (!(seen.sold.total > 0) || seen.sold.status !== 2) reportFailure(`the receipt is ${JSON.stringify(seen.sold)}`)
  if (!/^The books are sound/.test(seen.books)) reportFailure(seen.books)
  if (seen.codes.some((code) => code !== 0)) reportFailure(`serve ended with ${seen.codes}`)
}

async function sellHere(folder: string, file: string): Promise<Seen> {
  await run('tar', ['-xzf', file, '-C', folder])
  const unpacked = join(folder, basename(file, '.tar.gz'))
  const words = [SELL, join(unpacked, 'comptoir'), folder]
  return seenIn(await run(join(unpacked, 'node/bin/node'), words, { env: { PATH, TMPDIR: folder } }))
}

/** Without a network, as an account that owns nothing but its folder. */
async function sellInDebian(folder: string, file: string): Promise<Seen> {
  const root = join(folder, 'root')
  await run('cp', ['-a', await minimalDebian(), root])
  await run('tar', ['-xzf', file, '-C', join(root, 'opt')])
  cpSync(SELL, join(root, 'opt/sell.js'))
  const inside = `/opt/${basename(file, '.tar.gz')}`
  const script = `
    ip link set lo up && mount -t proc proc "$1/proc"
    for program in ${DEVELOPERS.join(' ')}; do
      if chroot "$1" sh -c "command -v $program"; then echo "$program is there" >&2; exit 1; fi
    done
    exec chroot --userspec=1000:1000 "$1" env -i PATH=${PATH} ${inside}/node/bin/node /opt/sell.js ${inside}/comptoir /tmp`
  return seenIn(await run('unshare', ['--net', '--mount', '--pid', '--fork', 'sh', '-ec', script, 'sh', root]))
}

const seenIn = ({ stdout }: { stdout: string }) => JSON.parse(stdout) as Seen

async function whyNoDebian(): Promise<string | undefined> {
  if (process.getuid?.() !== 0 || !existsSync('/etc/debian_version'))
    return 'a minimal Debian is made by root on Debian'
  return installPackages(['debootstrap', 'iproute2'], () => {})
}

/** A folder with Debian's smallest system, of the release and from the mirror of this machine. Kept for the next run. */
async function minimalDebian(): Promise<string> {
  const suite = /^VERSION_CODENAME=(\w+)$/m.exec(readFileSync('/etc/os-release', 'utf8'))![1]!
  const cache = process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache')
  const base = join(cache, `comptoir-debian-${suite}`)
  if (existsSync(base)) return base
  const words = ['indextargets', '--format', '$(REPO_URI)', 'Created-By: Packages', `Codename: ${suite}`]
  const mirrors = (await run('apt-get', words)).stdout.split('\n')
  const made = `${base}.${process.pid}`
  mkdirSync(made, { recursive: true })
  await run('debootstrap', ['--variant=minbase', suite, made, ...mirrors.slice(0, 1).filter(Boolean)])
  renameSync(made, base)
  return base
}
