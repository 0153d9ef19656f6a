import { copyFileSync, globSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Copies the wanted files of a folder; `isWanted` gets each path below it. */
export function copyFiles(from: string, to: string, isWanted: (path: string) => boolean = () => true): void {
  for (const entry of globSync('**/*', { cwd: from, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name).slice(from.length + 1)
    if (!entry.isFile() || !isWanted(path)) continue
    mkdirSync(dirname(join(to, path)), { recursive: true })
    copyFileSync(join(from, path), join(to, path))
  }
}
