import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { guessedSeconds, isFast, resourcesOf, testFiles } from './test-files'

const root = join(import.meta.dir, '../..')
const files = testFiles(root)

test.each([
  ['test/e2e/pictures.test.ts', ['browser', 'processes']],
  ['test/journeys/senders.test.ts', ['programs']],
  ['test/core/jobs/worker.test.ts', ['MongoDB']],
  ['test/plugins/traffic/sealing/sealDays.test.ts', ['chDB']],
  ['test/journeys/mcp.test.ts', ['processes']],
  ['test/support/test-output.test.ts', []],
])('%s needs %j', (file, resources) => {
  expect(resourcesOf(root, file) as string[]).toEqual(resources)
})

test('the fast run takes most files, and none that starts a browser or a process', () => {
  const fast = files.filter((file) => isFast(root, file))
  expect(fast.length).toBeGreaterThan(files.length / 2)
  expect(fast).toContain('test/support/test-output.test.ts')
  expect(fast.filter((file) => file.startsWith('test/journeys/') || file.startsWith('test/e2e/'))).toEqual([])
})

test('files with processes start before those with none, also where nobody lists them as slow', () => {
  expect(guessedSeconds(root, 'test/journeys/mcp.test.ts')).toBeGreaterThan(
    guessedSeconds(root, 'test/support/test-output.test.ts'),
  )
})
