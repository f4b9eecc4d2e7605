import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'

const root = join(import.meta.dir, '..')
const example = join(root, 'examples/app-reviews')

describe('docs/PLUGINS.md', async () => {
  const page = await Bun.file(join(root, 'docs/PLUGINS.md')).text()
  const files = await Promise.all(
    ['package.json', 'index.ts', 'index.test.ts'].map((name) => Bun.file(join(example, name)).text()),
  )
  const snippets = [...page.matchAll(/^```(?:ts|json)\n(.*?)^```/gms)].map((match) => String(match[1]))

  const numbered = snippets.map((snippet, place): [number, string] => [place + 1, snippet])
  test.each(numbered)(
    'shows with snippet %i a piece of the example as it is compiled and tested',
    (_, snippet) => {
      expect(files.some((file) => file.includes(snippet))).toBe(true)
    },
  )
  test('shows the whole of it', () => {
    const shown = new Set(snippets.join('').split('\n'))
    const missing = files
      .flatMap((file) => file.split('\n'))
      .filter((line) => line !== '' && !shown.has(line))
    expect([snippets.length, missing]).toEqual([6, []])
  })
})

test('a stranger’s plugin imports the two public doors, its own files and npm packages', async () => {
  const sources = [...new Bun.Glob('examples/**/*.ts').scanSync(root)].filter(
    (path) => !path.includes('node_modules'),
  )
  for (const path of sources) {
    const text = await Bun.file(join(root, path)).text()
    const imports = new Bun.Transpiler({ loader: 'ts' }).scanImports(text).map(({ path: from }) => from)
    expect(imports.filter((from) => /^\.\.|^renown\/(?!testing$)/.test(from))).toEqual([])
  }
  expect(sources.length).toBeGreaterThan(1)
})
