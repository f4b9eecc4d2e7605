import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { keyOf } from './processes'

/**
 * Copies a checkout into a temporary folder. Packages are linked, so that only the sources are copied. A guard removes
 * the copy and kills what runs in it when this process has ended, even if it was killed.
 */
export function copyCheckout(root: string): string {
  const copy = mkdtempSync(join(tmpdir(), 'renown-mutants-'))
  startGuard(copy)
  for (const name of readdirSync(root))
    if (!['node_modules', '.git'].includes(name) && !name.endsWith('.log'))
      cpSync(join(root, name), join(copy, name), { recursive: true, verbatimSymlinks: true })
  mkdirSync(join(copy, 'node_modules'))
  const ours: Record<string, string> = { renown: '..' }
  for (const name of readdirSync(join(root, 'node_modules'))) {
    const example = join('..', 'examples', name.replace(/^renown-plugin-/, ''))
    const isExample = name.startsWith('renown-plugin-') && existsSync(join(copy, 'node_modules', example))
    const target = ours[name] ?? (isExample ? example : join(root, 'node_modules', name))
    symlinkSync(target, join(copy, 'node_modules', name))
  }
  return copy
}

/** Removes a copy. */
export const removeCopy = (copy: string) => rmSync(copy, { recursive: true, force: true })

/**
 * Starts a guard of a copy, which waits for the end of this process. It is in a group of its own, so that a signal for this
 * group does not reach it.
 */
export function startGuard(copy: string): void {
  const key = keyOf(process.pid)
  if (key === null) throw new Error('This process is not listed among the processes of this machine.')
  const command = [process.execPath, join(import.meta.dir, 'guard.ts'), copy, String(process.pid), key]
  Bun.spawn(command, { stdio: ['ignore', 'ignore', 'inherit'], detached: true }).unref()
}
