import { execFileSync } from 'node:child_process'
import { cpus, totalmem } from 'node:os'
import { fileURLToPath } from 'node:url'

export interface Machine {
  cpu: string
  cores: number
  memoryGiB: number
  date: string
  commit: string
  node: string
  load: string
}

export function machine(load: string): Machine {
  const cwd = fileURLToPath(new URL('.', import.meta.url))
  const git = (...words: string[]) => execFileSync('git', words, { cwd, encoding: 'utf8', stdio: 'pipe' }).trim()
  return {
    cpu: processor(),
    cores: cpus().length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    date: new Date().toISOString().slice(0, 10),
    commit: git('rev-parse', '--short', 'HEAD') + (git('status', '--porcelain') ? ', with changes' : ''),
    node: process.version,
    load,
  }
}

// Some ARM machines do not tell Node what they are.
function processor(): string {
  const model = cpus()[0]?.model.trim()
  if (model && model !== 'unknown') return model
  try {
    const named = /^Model name:\s*(.+)$/m.exec(execFileSync('lscpu', { encoding: 'utf8' }))?.[1]
    return named && named !== '-' ? named : process.arch
  } catch {
    return process.arch
  }
}
