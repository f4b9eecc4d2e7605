import { expect, test } from 'bun:test'
import { join } from 'node:path'

const folder = join(import.meta.dir, '../../support/walk')

/** The files of core that one list read enters, in order, as a process tells whose functions all note when they are entered. */
async function walkOfListRead(): Promise<string[]> {
  const run = Bun.spawn(['bun', '--preload', join(folder, 'record.ts'), join(folder, 'list-read.ts')], {
    cwd: join(import.meta.dir, '../../..'),
    stdout: 'pipe',
    stderr: 'inherit',
  })
  const said = await new Response(run.stdout).text()
  const { status, walked } = JSON.parse(said.trim().split('\n').at(-1) ?? '') as {
    status: number
    walked: string[]
  }
  expect(status).toBe(200)
  return walked
}

test('a list that is asked for again passes at most 27 files, and comes back from the store at most twice', async () => {
  const walked = await walkOfListRead()
  const files = [...new Set(walked)]
  // What is not there was not recorded.
  expect(files).toContain('core/product/gateway.ts')
  expect(files).toContain('core/auth/authorize.ts')
  expect(files).toContain('core/http/entities.ts')
  expect(files).toContain('core/stores/documents/sqlite/page.ts')
  expect(files.length > 27 ? files : []).toEqual([])
  const returns = walked.filter(
    (file, at) => file.startsWith('core/http/') && walked[at - 1]?.startsWith('core/stores/'),
  )
  expect(returns.length).toBeLessThanOrEqual(2)
}, 90_000)
