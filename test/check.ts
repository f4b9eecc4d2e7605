import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { sideBySide } from './support/side-by-side'

/**
 * Checks the form, the types and dead code next to the tests. Words go to `test/run.ts`, such as `--fast`. Only what
 * changed since the last run is typed again: what is known is in node_modules/.cache. One checker of types, because each
 * further one types again what they share, and the tests use the other cores.
 */
const root = join(import.meta.dir, '..')
const cache = join(root, 'node_modules/.cache')
mkdirSync(cache, { recursive: true })
const tool = (name: string, ...words: readonly string[]) => [join(root, 'node_modules/.bin', name), ...words]
const types = [
  '--noEmit',
  '--checkers',
  '1',
  '--incremental',
  '--tsBuildInfoFile',
  join(cache, 'types.tsbuildinfo'),
]

process.exit(
  await sideBySide({
    root,
    checks: [tool('biome', 'check', '.'), tool('tsc', ...types), tool('knip', '--cache')],
    tests: [process.execPath, join(import.meta.dir, 'run.ts'), ...process.argv.slice(2)],
    print: (text) => process.stderr.write(text),
  }),
)
