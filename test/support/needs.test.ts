import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'renown-needs-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Runs a file with tests that need a MongoDB, a program that no machine here has on its path, and nothing. */
async function runWithout(env: Record<string, string>) {
  const file = join(folder, 'sample.test.ts')
  await Bun.write(
    file,
    `import { describe, expect, test } from 'bun:test'
    import { describeStores } from ${JSON.stringify(join(import.meta.dir, 'mongo'))}
    import { describeWith, testWith } from ${JSON.stringify(join(import.meta.dir, 'needs'))}
    test('plain', () => {})
    testWith('zstdcat')('one', () => {})
    testWith('zstdcat').each([1, 2])('row %d', () => {})
    describeWith('MongoDB')('a suite', () => {
      test('inside', () => expect(1).toBe(2))
    })
    describeStores({ SQLite: 1, MongoDB: 2 }, 'on %s', (name, open) => test('both ' + name + open, () => {}))
    `,
  )
  const run = Bun.spawn([process.execPath, 'test', file], {
    env: { PATH: folder, ...env },
    cwd: folder,
    stdout: 'ignore',
    stderr: 'pipe',
  })
  const [output, code] = await Promise.all([run.stderr.text(), run.exited])
  const count = (word: string) => Number(new RegExp(`^ *(\\d+) ${word}$`, 'm').exec(output)?.[1] ?? 0)
  return { code, output, counts: { pass: count('pass'), skip: count('skip'), fail: count('fail') } }
}

test('a test whose need is missing is skipped, counted, and says why', async () => {
  const { code, output, counts } = await runWithout({})
  expect({ code, counts }).toEqual({ code: 0, counts: { pass: 2, skip: 5, fail: 0 } })
  for (const line of [
    'one (needs zstdcat)',
    'row 1 (needs zstdcat)',
    'a suite (needs MongoDB) > inside',
    'on MongoDB (needs MongoDB) > both MongoDB2',
  ])
    expect(output).toContain(`(skip) ${line}`)
})

test('where tools are required, a missing one that can be installed fails; a MongoDB may be missing', async () => {
  const { code, output, counts } = await runWithout({ RENOWN_TOOLS: 'required' })
  expect({ code, counts }).toEqual({ code: 1, counts: { pass: 2, skip: 5, fail: 2 } })
  expect(output).toContain('zstdcat is missing. To have it: apt-get install zstd.')
})
