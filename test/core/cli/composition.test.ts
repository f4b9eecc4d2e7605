import { afterAll, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compose } from '../../../core/cli/composition'
import { undeclaredReads } from '../../../core/registry/foreign-checks'
import { builtin } from '../../../plugins'

const folder = mkdtempSync(join(tmpdir(), 'renown-composition-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const renown = join(import.meta.dir, '../../../core/doors/front')

/** A plugin of two files. One of them names an entity of another plugin. */
function plugin(name: string, reads: string): string {
  const at = join(folder, name)
  mkdirSync(at)
  writeFileSync(
    join(at, 'view.ts'),
    `import { foreignEntity } from '${renown}'\nexport const View = foreignEntity('Workspace', {})\n`,
  )
  writeFileSync(
    join(at, 'index.ts'),
    `import { definePlugin } from '${renown}'\nimport { View } from './view'\nexport const used = View\n` +
      `export default definePlugin({ name: '${name}', renown: '*', reads: [${reads}] })\n`,
  )
  return join(at, 'index.ts')
}

const start = (path: string) =>
  compose({
    builtin: [],
    loadIngest: () => Promise.reject(new Error('not needed')),
    env: { PLUGINS: path },
    workingFolder: folder,
  })

test('a plugin that names an entity of another plugin and does not declare it stops the start', async () => {
  await expect(start(plugin('careless', ''))).rejects.toThrow(
    /careless: .*view\.ts names Workspace by foreignEntity\. List it under `reads`/,
  )
})

test('one that declares it starts', async () => {
  const { plugins } = await start(plugin('careful', 'View'))
  expect(plugins.map(({ name }) => name)).toEqual(['careful'])
})

test('every plugin of the product declares what it names', () => {
  expect(undeclaredReads(builtin)).toEqual([])
})
