import { afterAll, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { kill } from './kill'
import type { Mutant } from './mutant'
import { Notes } from './notes'
import { mutantsOf } from './operators'

const copy = mkdtempSync(join(tmpdir(), 'renown-mutants-test-'))
afterAll(() => rmSync(copy, { recursive: true, force: true }))
mkdirSync(join(copy, 'core'))
mkdirSync(join(copy, 'test', 'core'), { recursive: true })

const source = 'export const limit = 3\nexport const unused = 4\n'
const [limit, unused] = ['3', '4'].map(
  (original) => mutantsOf('core/a.ts', source).find((mutant) => mutant.original === original) as Mutant,
)

/** What becomes of a mutant that one test file tries, whose only test is this. */
async function verdictOf(mutant: Mutant | undefined, body: string) {
  if (!mutant) throw new Error('no such mutant')
  writeFileSync(join(copy, 'core', 'a.ts'), source)
  writeFileSync(
    join(copy, 'test', 'core', 'a.test.ts'),
    `import { expect, test } from 'bun:test'
import { existsSync, writeFileSync } from 'node:fs'
import { limit } from '../../core/a'
test('limit', async () => { ${body} }, 1_000)
`,
  )
  const importers = new Map([['core/a.ts', new Set(['test/core/a.test.ts'])]])
  const notes = new Notes(join(copy, 'notes'), true)
  const { outcome } = await kill(
    { copy, importers, mostTests: 5, budget: 60_000, notes, kills: new Map() },
    mutant,
  )
  return outcome
}

test('a failed expectation kills, and a change that no test sees survives', async () => {
  expect(await verdictOf(limit, 'expect(limit).toBe(3)')).toBe('killed')
  expect(await verdictOf(unused, 'expect(limit).toBe(3)')).toBe('survived')
})

test('a test that was seen to run the file tries its changes, near or not', () => {
  const notes = new Notes(join(copy, 'notes'), true)
  const reached = { 'core/a.ts': { hash: 'x', missed: '' } }
  const passed = { passed: true, cpu: 1, memory: 1 }
  notes.noteBaseline('test/far/b.test.ts', '1', { ...passed, reached }, () => '')
  notes.noteBaseline('test/far/c.test.ts', '1', { ...passed, reached: {} }, () => '')
  expect(notes.testsOf('core/a.ts')).toEqual(['test/far/b.test.ts'])
})

test('a test that waits for ever kills if it passes without the change', async () => {
  expect(await verdictOf(limit, 'if (limit !== 3) await new Promise(() => {})')).toBe('killed')
})

test('a test that is late without the change too decides nothing', async () => {
  // Passes once, as the measuring before the change did on a machine that was less busy.
  const once = `const mark = '${join(copy, 'mark')}'
    if (existsSync(mark)) await new Promise(() => {})
    writeFileSync(mark, '')
    expect(limit).toBeGreaterThan(0)`
  expect(await verdictOf(limit, once)).toBe('undecided')
})

test('a test that fails without any change proves nothing', async () => {
  expect(await verdictOf(limit, 'expect(limit).toBe(5)')).toBe('survived')
})

test('a change that only the types refuse is killed, unless they refuse everything', async () => {
  const bin = join(copy, 'node_modules', '.bin')
  mkdirSync(bin, { recursive: true })
  writeFileSync(join(copy, 'tsconfig.json'), '{}')
  const refuseWhere = (condition: string) =>
    writeFileSync(join(bin, 'tsc'), `#!/bin/sh\nif ${condition}; then exit 2; fi\n`, { mode: 0o755 })
  try {
    refuseWhere('! grep -q "unused = 4" core/a.ts')
    expect(await verdictOf(unused, 'expect(limit).toBe(3)')).toBe('killed')
    refuseWhere('true')
    expect(await verdictOf(unused, 'expect(limit).toBe(3)')).toBe('survived')
  } finally {
    rmSync(join(copy, 'tsconfig.json'))
  }
})
