import { existsSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Whether a copy of the checkout type-checks, as `bun run check` does. The first call types everything, later ones what
 * changed. True where the copy has no types to check.
 */
export async function typeChecks(copy: string): Promise<boolean> {
  if (!existsSync(join(copy, 'tsconfig.json'))) return true
  const known = join(copy, 'node_modules', 'types.tsbuildinfo')
  const words = ['--noEmit', '--checkers', '1', '--incremental', '--tsBuildInfoFile', known]
  const child = Bun.spawn(['nice', '-n', '10', join(copy, 'node_modules', '.bin', 'tsc'), ...words], {
    cwd: copy,
    stdio: ['ignore', 'ignore', 'ignore'],
  })
  return (await child.exited) === 0
}
