import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { alone, readSeconds, testFiles } from './support/test-files'
import { staleExceptions, tidy } from './support/tidy'

const root = join(import.meta.dir, '..')

test('the tree obeys the rules that a linter cannot see', () => {
  expect(tidy(root)).toEqual([])
}, 60_000)

test('no exception of the rules is left over', () => {
  expect(staleExceptions(root)).toEqual([])
})

test('no list names a test file that is gone', () => {
  const files = testFiles(root)
  const listed = [...Object.keys(alone), ...Object.keys(readSeconds(root))]
  expect(listed.filter((file) => !files.includes(file))).toEqual([])
})

describe('a planted violation is found', () => {
  let copy: string
  beforeAll(() => {
    copy = mkdtempSync(join(tmpdir(), 'renown-tidy-'))
    for (const name of ['biome.json', '.gitignore', 'tsconfig.json', 'package.json'])
      cpSync(join(root, name), join(copy, name))
    Bun.spawnSync(['git', 'init', '-q'], { cwd: copy })
    symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  })
  afterAll(() => rmSync(copy, { recursive: true, force: true }))

  const plant = (file: string, text: string) => {
    mkdirSync(dirname(join(copy, file)), { recursive: true })
    writeFileSync(join(copy, file), text)
  }
  const uproot = (file: string) => rmSync(join(copy, file), { recursive: true })

  const walls: readonly [file: string, text: string, message: string][] = [
    ['plugins/leads/a.ts', "export * from '../traffic/index'\n", 'a plugin imports its own files only'],
    ['plugins/leads/a.ts', "export * from './../traffic/index'\n", 'a plugin imports its own files only'],
    ['plugins/leads/b/a.ts', "export * from '../../traffic/index'\n", 'a plugin imports its own files only'],
    [
      'plugins/leads/b/a.ts',
      "export * from '../../../core/doors/front'\n",
      'a plugin imports its own files only',
    ],
    [
      'plugins/leads/a.ts',
      "export * from 'renown/contracts'\n",
      'a plugin imports renown or one of its doors',
    ],
    ['plugins/leads/a.ts', "import 'mongoose'\n", 'mongoose is used only by'],
    ['ingest/a.ts', "export * from '../core/process/config'\n", 'the counter imports its own files only'],
    [
      'ingest/parse/formats/a.ts',
      "export * from '../../../core/ids'\n",
      'the counter imports its own files only',
    ],
    ['ingest/a.ts', "export * from 'renown'\n", 'the counter knows renown/contracts'],
    ['ingest/a.ts', "export * from 'renown/traffic'\n", 'the counter knows renown/contracts'],
    ['ingest/a.ts', "import 'elysia'\n", 'the counter knows renown/contracts'],
    ['ingest/a.ts', "export const m = import('mongoose')\n", 'the counter knows renown/contracts'],
    [
      'core/auth/a.ts',
      "import type { Route } from '../web/framework/route'\n",
      'core/auth stands below core/web',
    ],
    ['core/stores/a.ts', "export const l = import('../jobs/lease')\n", 'core/stores stands below core/jobs'],
    ['core/auth/oauth/a.ts', "export * from '../../http'\n", 'core/auth stands below core/http'],
    ['core/jobs/a.ts', "export * from '../index'\n", 'no loose file'],
    ['core/jobs/a.ts', 'await jobs.insert(row as never)\n', 'rows are written as their entity types them'],
    [
      'plugins/leads/a.ts',
      'await ctx.rows(Lead).update(row.id, {\n  ...(set as any),\n})\n',
      'rows are written as their entity types them',
    ],
    ['core/http/a.ts', "export const a = 'Google'\n", 'core names no outside platform'],
    ['core/http/a.ts', 'export const askFacebook = 1\n', 'core names no outside platform'],
    ['core/http/ask-dataforseo.ts', 'export const a = 1\n', 'core names no outside platform'],
    ['core/http/a.ts', "export const a = 'the Places API'\n", 'core names no outside platform'],
    ['core/http/a.ts', 'if (error instanceof Refusal) throw error\n', 'written out: use isRefusal'],
    ['plugins/leads/a.ts', "if (error.code === 'conflict') throw error\n", 'written out: use isConflict'],
    [
      'ingest/parse/a.ts',
      'const text = error instanceof Error ? error.message : String(error)\n',
      'written out: use messageOf',
    ],
    ['core/http/a.ts', 'const keptMs = 2 * 86_400_000\n', 'written out: use dayMs'],
    [
      'plugins/leads/a.ts',
      "const text = `${count} ${count === 1 ? 'lead' : 'leads'}`\n",
      'written out: use formatCount',
    ],
    [
      'plugins/leads/a.tsx',
      "const f = new Intl.DateTimeFormat('en')\n",
      'use Moment, formatDay or exactTime',
    ],
    ['core/web/a.ts', "const day = at.toLocaleDateString('en')\n", 'use Moment, formatDay or exactTime'],
    ['core/web/a.ts', 'const day = new Date(at).toLocaleString()\n', 'use Moment, formatDay or exactTime'],
    ['plugins/leads/a.tsx', 'const day = at.slice(0, 10)\n', 'use Moment, formatDay or exactTime'],
    [
      'plugins/leads/a.tsx',
      'const a = <p>Until {lead.sure_until}</p>\n',
      'use Moment, formatDay or exactTime',
    ],
    ['plugins/leads/a.ts', "if (row.source === 'google') count += 1\n", 'what a platform declares'],
    ['core/product/a.ts', "await runCommand(deps, 'key rotate', {})\n", 'use runDeclared'],
    ['plugins/leads/a.ts', "await deps.commands.get('site add')?.run(ctx, {})\n", 'use runDeclared'],
    ['examples/a/a.ts', "await commands.find(({ name }) => name === 'x')?.run(ctx, {})\n", 'use runDeclared'],
    ['core/tenancy/a.ts', 'const a = `${origin}/app/reviews`\n', 'use pageUrl'],
    ['core/a.ts', 'export const a = 1\n', 'core has one loose file'],
    ['core/web/a.ts', 'export const a = 1\n', 'core/web has no loose file'],
    ['core/web/cellar/a.ts', 'export const a = 1\n', 'the room has no floor'],
    [
      'core/web/kit/parts/a.ts',
      "export * from '../../frame/page'\n",
      'core/web/kit stands below core/web/frame',
    ],
    [
      'core/web/kit/parts/a.ts',
      "export * from '../client/index'\n",
      'core/web/kit/parts stands below core/web/kit/client',
    ],
    ['core/web/pages/settings/a.ts', "export * from '../app'\n", 'no loose file'],
    ['core/cellar/a.ts', 'export const a = 1\n', 'the room has no floor'],
    [
      'ingest/parse/formats/a.ts',
      "export * from '../../http/body'\n",
      'ingest/parse stands below ingest/http',
    ],
    [
      'plugins/reviews/sync/a.ts',
      "export * from '../reply/sendReply'\n",
      'sync stands below plugins/reviews/reply',
    ],
    ['core/http/a.ts', "export * from '../../plugins/index'\n", 'core imports core'],
    ['core/a.ts', "export * from '../ingest/index'\n", 'core imports core'],
    ['core/a.ts', "export * from 'renown'\n", 'inside core, import the file itself'],
    ['core/a.ts', "export * from './main'\n", 'nothing imports a main'],
    ['test/a.ts', "export * from '../core/main'\n", 'nothing imports a main'],
    ['core/a.ts', "export * from '../../elsewhere'\n", 'an import leaves the project'],
    [
      'core/process/ids.ts',
      "import { sha256 } from 'oslo/crypto'\n",
      'oslo is used only by core/process/crypto.ts',
    ],
    ['core/a.ts', 'export const now = () => new Date()\n', 'time comes in by argument'],
    ['core/a.ts', 'export const now = () => Date.now()\n', 'time comes in by argument'],
    ['plugins/leads/a.ts', 'export const env = Bun.env.HOME\n', 'settings come in by argument'],
    ['ingest/a.ts', 'export const env = process.env.HOME\n', 'settings come in by argument'],
    ['core/a.ts', 'export const dice = () => Math.random()\n', 'chance comes in by argument'],
    ['plugins/leads/a.ts', 'const a = new WeakMap<OwnerContext, string>()\n', 'kept by productState'],
    ['core/a.ts', "console.log('x')\n", 'output goes through the log'],
    ['core/kit/index.ts', 'export const bare = 1\n', 'what is exported carries a sentence'],
    ['core/contracts/a.ts', '\nexport interface Bare {}\n', 'what is exported carries a sentence'],
    ['core/a.ts', `// ${'TO'}DO later\n`, 'unfinished business'],
    ['core/a.ts', '// because of #1234\n', 'no ticket numbers'],
    ['docs/A.md', '# One\n\n# Two\n', 'one title in a document'],
    ['bun.lock', `"https://${'registry.'}example.org/a.tgz"\n`, 'no package registry'],
    ['docs/A.md', `# One\n\nSee \`${'/ro'}ot/notes\`\n`, "no path of somebody's machine"],
    ['test/core/nowhere/ghost.test.ts', 'export {}\n', 'a test stands where its subject stands'],
    ['test/core/a.test.ts', "test.skipIf(!uri)('a', () => {})\n", 'a test says what it needs'],
    ['test/core/a.test.ts', "describe.skip('a', () => {})\n", 'a test says what it needs'],
    ['test/core/a.test.ts', "const has = Bun.which('nginx')\n", 'a test says what it needs'],
    ['test/core/a.test.ts', "test('a', () => {\n  if (!command) return\n})\n", 'a test says what it needs'],
    ['test/core/a.test.ts', 'await Bun.sleep(5)\n', 'a test waits for a condition'],
    ['test/a.ts', "await page.getByRole('button', { name: 'Go' }).click()\n", 'a click waits for the page'],
    ['test/a.ts', 'await new Promise((done) => setTimeout(done, 5))\n', 'a test waits for a condition'],
    ['test/e2e/a.test.ts', 'await page.waitForTimeout(5)\n', 'a test waits for a condition'],
    ['notes.txt', 'x\n', 'nothing else stands at the top'],
    ['core/http/a.ts', 'export interface Door {}\n', 'not "door" in Door'],
    ['core/http/a.ts', 'export const a = 1\nexport async function takeRows() {}\n', 'not "take" in takeRows'],
    ['plugins/leads/a.tsx', 'export type LeadAsked = string\n', 'not "asked" in LeadAsked'],
    ['ingest/http/batch-door.ts', 'export const a = 1\n', 'not "door" in batch-door'],
    ['test/support/kept.ts', 'export const a = 1\n', 'not "kept" in kept'],
    ['docs/A.md', '# One\n\nAsk whoever runs it.\n', 'not "whoever"'],
    ['docs/A.md', '# One\n\nThe rest is reckoned.\n', 'but: estimated'],
    ['core/web/a.tsx', "export const words = 'There is none. None is called so.'\n", 'has this name'],
    ['core/jobs/a.ts', '/** The value, never nought. */\nexport const a = 1\n', 'but: 0, zero'],
    ['core/http/a.ts', '/** Begins\n * anew. */\nexport const a = 1\n', 'not "anew"'],
    ['core/http/a.ts', "export const a = 'There is nothing to mend'\n", 'not "mend"'],
    ['core/http/a.ts', 'export const a = (b: string) => `Every person is told ${b}`\n', 'not "is told"'],
    ['core/web/a.tsx', 'export const A = () => <p>Show it once more</p>\n', 'not "once more"'],
    [
      'core/web/a.tsx',
      'export const A = () => (\n  <p>\n    Every person is\n    told of it\n  </p>\n)\n',
      'not "is told"',
    ],
    [
      'core/web/a.tsx',
      'export const A = () => <p>It is <b>left</b> alone, or is <b>told</b></p>\n',
      'not "is told"',
    ],
    ['core/web/a.ts', "export const a = 'Every person is ' +\n  'told of it'\n", 'not "is told"'],
    ['core/http/a.ts', '// Every person is\n// told of it.\nexport const a = 1\n', 'not "is told"'],
    ['core/http/a.ts', `/** A${' word'.repeat(30)}. */\nexport const a = 1\n`, 'at most 30 words, not 31'],
    [
      'core/web/a.tsx',
      `export const A = () => <p>A${' word'.repeat(29)} {a} b.</p>\n`,
      'at most 30 words, not 32',
    ],
    ['core/http/a.ts', `export const a = (b: string) => \`A${' word'.repeat(30)} \${b}.\`\n`, 'not 32'],
    ['docs/A.md', `# One\n\n${'word '.repeat(31)}\n`, 'at most 30 words, not 31'],
    ['docs/A.md', `# One\n\n- ${'word '.repeat(15)}\n  ${'word '.repeat(16)}\n`, 'at most 30 words'],
  ]
  const spreads: readonly (readonly [code: string, file?: string])[] = [
    ['f({ ...{ a, b }, c })'],
    ['f({ ...({ a, b } as const), c })'],
    ['f({ ...({ a } satisfies A) })'],
    ['f({ ...{ ...{ a }, b } })'],
    ['f({ ...(true && { a }), ...(1 ? { b } : {}) })'],
    ['f({ ...(!0 && { a }) })'],
    ["f({ ...('a' && { a }) })"],
    ['f({ ...({ a } ?? {}) })'],
    ['f({ ...(null ?? { a }), ...(undefined || { b }) })'],
    ['f({ ...(await { a }) })\nexport {}'],
    ['f({ ...Object.freeze({ a, b }), c })'],
    ['f({ ...Object.assign({ a }, { b }) })'],
    ['f({ ...Object.fromEntries([["a", 1], ["b", 2]]) })'],
    ['f({ ...structuredClone({ a, b }) })'],
    ["f({ ...JSON.parse('{}') })"],
    ['f({ ...(() => ({ a, b }))() })'],
    ['const same = <T>(one: T) => one\nf({ ...same({ a, b }) })'],
    ['function same(one: object) {\n  return one\n}\nf({ ...same({ a, b }) })'],
    ['f(Object.assign({ a }, { b }))'],
    ['f(Object.assign({}, { a }, more))'],
    ['f({ ...[a, b] })'],
    ['f([...[a, b], c])'],
    ["f([...(['a', 'b'] as const), 'c'])"],
    ["f([...['a'], ...more])"],
    ['f(...[a, b], c)'],
    ['new F(...[a, b])'],
    ['f([...[a, b].slice()])'],
    ['f([...[a, b].values()])'],
    ['f([...Array.of(a, b), c])'],
    ["f([...new Set(['a', 'b']), c])"],
    ['f([...Object.values({ a, b }), c])'],
    ['f([a].concat([b, c]))'],
    ['f([[a, b], [c]].flat())'],
    ['f(<A {...{ b, c }} />)', 'core/web/a.tsx'],
    ['f(<A {...({ b } as B)} c={c} />)', 'core/web/a.tsx'],
    ['const [a, b] = [1, 2]'],
    ['let [a, b]: [number, number] = [1, 2]'],
    ["const [a = '', { b }] = [first, last] as const"],
    ['const { a, b } = { a: 1, b: 2 }'],
    ['export const [a, b] = [1, 2]'],
    ['type A = { a: string } & { b: string }'],
    ['// biome-ignore format: so that it fits\nf(a)'],
    ['// prettier-ignore\nf(a)'],
    ['f({ ...{ a, b } })', 'test/core/http/a.test.ts'],
    ['f({ ...{ a, b } })', 'integrations/node/a.cjs'],
    ['# One\n\n```ts\nf({\n  ...{ a, b },\n})\n```', 'docs/A.md'],
  ]
  test.each(spreads)('a literal in pieces: %s', (code, file = 'core/http/a.ts') => {
    plant(file, `${code}\n`)
    const rules = tidy(copy).flatMap((fault) => (fault.file === file ? [fault.rule] : []))
    uproot(file)
    expect(rules.join('\n')).toMatch(
      /^(write the members|one declaration for each name|the formatter formats)/m,
    )
  })

  test.each([
    'f({ ...(a ? { b } : {}), ...(c && { d }), ...(e ?? { g }) })',
    'f({ ...a, ...b.c, ...d(e), ...made({ g }), ...(await h) })',
    'f([...a, ...(b ? [c] : []), ...[d].flat(), ...[e, g].map(h), ...new Set([...i, j])])',
    'f(Object.assign(new Error(), { code }), Object.assign({}, ...all), Buffer.concat([a, b]))',
    'const [a, b] = await Promise.all([c, d])\n',
    'const { a, b } = { a: 1, ...given }\n;[c, d] = [d, c]\n',
    'for (let [a, b] = [0, 1]; a < 9; a++) f(b)',
    'const made = (one: object) => ({ ...one })\nf({ ...made({ a }) })',
    '// f({ ...{ a } })\nf("...{ a }")',
    'type A = B & { c: string }',
  ])('but no spread that decides something: %s', (code) => {
    plant('core/http/a.ts', `${code}\n`)
    const rules = tidy(copy).flatMap((fault) => (fault.file === 'core/http/a.ts' ? [fault.rule] : []))
    uproot('core/http/a.ts')
    expect(rules).toEqual([])
  })

  const body = (count: number, step: string) => Array.from({ length: count }, () => step).join('\n')
  const inList = (count: number, one: (n: number) => string) =>
    Array.from({ length: count }, (_, n) => one(n))
  test.each([
    ['statements', body(101, '  doSomethingWith(another)')],
    ['branches', body(51, '  use(this_one ? somethingElse : another)')],
    ['conditions', body(51, '  use(this_one && somethingElse)')],
    ['cases', `  switch (given) {\n${body(100, '    case somethingElse:')}\n  }`],
    ['faults', body(51, '  try {\n  } catch (somethingElse) {\n  }')],
    ['assignments', `  use(${inList(101, (n) => `(thisVariable${n} = another)`).join(', ')})`],
    ['declarations', `  let ${inList(101, (n) => `thisVariable${n} = 1`).join(', ')}`],
    ['calls in a list', `  return [${inList(100, () => 'doSomethingWith(another)').join(', ')}]`],
    ['members', `  return { ${inList(400, (n) => `one${n}`).join(', ')} }`],
    ['functions', `  use(${inList(101, () => '(another) => doSomethingWith(another)').join(', ')})`],
    ['elements', `  return <>${inList(44, () => '<SomeElement named={another} /><b></b>').join('')}</>`],
  ])('a function that is too long by its %s, on few lines or many', (_, code) => {
    for (const text of [code, code.replaceAll('\n', ' ').replaceAll(')  ', '); ')]) {
      plant('core/http/a.tsx', `export function a() {\n${text}\n}\n`)
      const rules = tidy(copy).flatMap((fault) => (fault.file === 'core/http/a.tsx' ? [fault.rule] : []))
      uproot('core/http/a.tsx')
      expect(rules.join()).toMatch(/a function has at most 100 steps, not 10[12]/)
    }
  })

  test('a file that is too long, but not one whose lines alone are many', () => {
    const files: Readonly<Record<string, string>> = {
      'ingest/http/a.ts': body(301, 'export const sameNameAgain = 1'),
      'ingest/http/b.ts': `export const a = [\n${body(1_100, '  1,')}\n]`,
      'ingest/http/c.ts': body(300, 'export const sameNameAgain = 1'),
      'test/ingest/http/d.test.ts': body(301, 'export const sameNameAgain = 1'),
    }
    for (const [file, text] of Object.entries(files)) plant(file, `${text}\n`)
    const found = tidy(copy).filter(({ rule }) => rule.includes('steps'))
    for (const file of Object.keys(files)) uproot(file)
    expect(found.map(({ file, rule }) => `${file}: ${rule}`)).toEqual([
      'ingest/http/a.ts: a file has at most 300 steps, not 301',
    ])
  })

  test.each(walls)('%s: %j', (file, text, message) => {
    plant(file, text)
    const found = tidy(copy).filter((fault) => fault.file === file)
    uproot(file)
    expect(found.map((fault) => fault.rule).join('\n')).toContain(message)
  })

  test.each([
    ['docs/A.md', `# One\n\n\`whoever\` is a name. ${'word '.repeat(26)}end.\n\n\`\`\`\nmend it\n\`\`\`\n`],
    ['core/http/a.ts', 'export const mend = 1 // anew\nexport const b = /taken for/\n'],
    ['core/http/a.ts', "export const a = ['mend', 'bears', 'anew']\n"],
    ['plugins/reviews/writing/speech/a.ts', "export const a = 'we are told that'\n"],
  ])('but no stilted word in code, names and word lists: %s', (file, text) => {
    plant(file, text)
    const found = tidy(copy).filter(({ rule }) => /plain words|a sentence/.test(rule))
    uproot(file)
    expect(found).toEqual([])
  })

  test('a type name that three files export', () => {
    const files = ['core/http/a.ts', 'ingest/http/b.ts', 'plugins/leads/c.ts']
    for (const file of files) plant(file, 'export type Verdict = string\n')
    const found = tidy(copy).flatMap(({ rule }) => (rule.includes('of one name') ? [rule] : []))
    for (const file of files) uproot(file)
    expect(found).toEqual([`at most 2 files export a type of one name: Verdict is in ${files.join(', ')}`])
  })

  test('but no vague word inside another word, in a name that is not exported, and in an exception', () => {
    const texts: Readonly<Record<string, string>> = {
      'core/http/a.ts': 'export const replaceMistaken = 1\nconst asked = 2\nexport const b = { asked }\n',
      'core/contracts/outbound.ts': '/** A field. */\nexport interface SealedPlace {}\n',
      'plugins/places/ask.ts': 'export const askPlace = 1\n',
    }
    for (const [file, text] of Object.entries(texts)) plant(file, text)
    const found = tidy(copy).filter(({ rule }) => rule.startsWith('plain names'))
    for (const file of Object.keys(texts)) uproot(file)
    expect(found).toEqual([])
  })

  test('imports that go round in a circle, types and re-exports among them', () => {
    plant('core/a.ts', "export type { B } from './query/index'\n")
    plant('core/query/index.ts', "import { c } from './c'\nexport type B = typeof c\n")
    plant('core/query/c.ts', "export const c = (await import('../a')).b\n")
    plant('core/d.ts', "import './a'\nexport const worker = new URL('./d-worker.ts', import.meta.url)\n")
    plant('core/d-worker.ts', "import './d'\n")
    const found = tidy(copy).flatMap(({ rule }) => (rule.includes('circle') ? [rule] : []))
    for (const file of ['core/a.ts', 'core/query', 'core/d.ts', 'core/d-worker.ts']) uproot(file)
    expect(found).toHaveLength(1)
    expect(found[0]).toMatch(/circle: .*core\/a\.ts → core\/query\/index\.ts → core\/query\/c\.ts/)
  })

  test('by the linter, with the reason in its message', () => {
    const planted: readonly [file: string, text: string, message: string][] = [
      ['plugins/leads/a.ts', "export * from '../traffic/index'\n", 'it can move to its own package'],
      ['plugins/leads/b/a.ts', "export * from '../../traffic/index'\n", 'it can move to its own package'],
      ['plugins/leads/b.ts', "import 'mongoose'\n", 'A plugin never sees a store'],
      ['ingest/a.ts', "export * from '../core/process/config'\n", 'so that it can run without the gate'],
      ['ingest/parse/formats/b.ts', "import 'elysia'\n", 'no framework'],
      ['core/http/a.ts', "export * from '../../plugins/index'\n", 'Core knows no plugin'],
      ['core/b.ts', "export * from '../ingest/index'\n", 'Core knows no plugin'],
      ['core/c.ts', "export * from './main'\n", 'nothing imports it'],
      ['core/d.ts', 'export const home = process.env.HOME\n', 'noProcessEnv'],
      ['core/e.ts', "console.log('x')\n", 'noConsole'],
      ['core/f.ts', 'export const f = (x: any) => x\n', 'noExplicitAny'],
      ['core/g.ts', 'export enum Colour {\n  red,\n}\n', 'noEnum'],
      ['core/h.ts', 'const h = 1,\n  i = 2\nexport default [h, i]\n', 'useSingleVarDeclarator'],
      ['core/i.ts', 'export const i = (a: () => void) => (a(), a())\n', 'noCommaOperator'],
    ]
    for (const [file, text] of planted) plant(file, text)
    const report = biome(copy)
    for (const [file, , message] of planted)
      expect(`${file}: ${report.get(file) ?? 'nothing was found'}`).toContain(message)
    for (const [file] of planted) uproot(file)
    expect([...biome(copy).keys()]).toEqual([])
  })
})

/** What Biome says, by file. */
function biome(folder: string): Map<string, string> {
  const run = Bun.spawnSync(
    [join(root, 'node_modules/.bin/biome'), 'lint', '--reporter=json', '--max-diagnostics=none', '.'],
    { cwd: folder },
  )
  const report = new Map<string, string>()
  for (const diagnostic of JSON.parse(run.stdout.toString()).diagnostics) {
    const file = diagnostic.location?.path?.file ?? diagnostic.location?.path ?? ''
    report.set(file, `${report.get(file) ?? ''}${JSON.stringify(diagnostic)}\n`)
  }
  return report
}
