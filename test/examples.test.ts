import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { cp, mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { readPage, readPluginPages } from './support/docs-pages'
import { translated } from './support/jit-settings'
import { signIn } from './support/person'
import type { RunningProduct } from './support/product'

const root = join(import.meta.dir, '..')
const example = join(root, 'examples/app-reviews')

describe('the pages for authors of plugins', async () => {
  const page = await readPluginPages()
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

test('docs/plugin-authors/first-source.md shows the review source of the Guild as it is tested', async () => {
  const page = await readPage('docs/plugin-authors/first-source.md')
  const shown = [...page.matchAll(/^```typescript\n(.*?)^```/gms)].map((match) => String(match[1]))
  const names = [
    'ask-as-member.ts',
    'ask-guild.ts',
    'card.ts',
    'connection.ts',
    'guild-card.tsx',
    'index.test.ts',
    'index.ts',
    'reviews.ts',
    'settings.ts',
    'setup.ts',
    'shop-id.ts',
    'token.ts',
  ]
  for (const name of names)
    expect(shown).toContain(await Bun.file(join(root, `examples/guild-reviews/${name}`)).text())
})

/** Uses what `renown/web` exports, so that every one of its types is looked at. */
const everyPart = `
import * as web from 'renown/web'
export const parts: readonly unknown[] = Object.values(web)
export const chart = (
  <web.StackedBars {...({} as web.BarsProps)} />
)
`

test('a stranger’s plugin imports the public doors, its own files and npm packages', async () => {
  const sources = [...new Bun.Glob('examples/**/*.{ts,tsx}').scanSync(root)].filter(
    (path) => !path.includes('node_modules'),
  )
  for (const path of sources) {
    const text = await Bun.file(join(root, path)).text()
    const loader = path.endsWith('x') ? 'tsx' : 'ts'
    const imports = new Bun.Transpiler({ loader }).scanImports(text).map(({ path: from }) => from)
    expect(
      imports.filter((from) =>
        /^\.\.|^renown\/(?!(?:testing|web|pages|records|sending|sources|locations|reviews|profiles)$)/.test(
          from,
        ),
      ),
    ).toEqual([])
  }
  expect(sources.length).toBeGreaterThan(1)
})

test('an entity, an operation, a job and their tests of the gate are at most 60 lines of declarations', async () => {
  const [index, tests] = await Promise.all(
    ['index.ts', 'index.test.ts'].map((name) => Bun.file(join(example, name)).text()),
  )
  const declared = (index ?? '')
    .replace(/^import [^']*'[^']*'\n/gm, '')
    .split('\n')
    .filter((line) => line.trim() !== '' && !/^\s*(\/\/|\/?\*)/.test(line))
  const generated = (tests ?? '').split('\n').filter((line) => line.startsWith('testPlugin('))
  expect(generated).toEqual(['testPlugin(appReviews)'])
  expect(declared.length + generated.length).toBeLessThanOrEqual(60)
})

describe('the example in a folder of its own, beside the packed product', async () => {
  const guide = await readPluginPages()
  const shelf = await readPage('docs/plugin-authors/pages.md')
  const [plugin = '', component = ''] = [...shelf.matchAll(/^```tsx\n(.*?)^```/gms)].map((one) =>
    String(one[1]),
  )
  const page = join('pages', 'shelf.tsx')
  let folder: string
  /** With one checker: each further one types again what they share. */
  const compile = (cwd: string) =>
    run(cwd, join(root, 'node_modules/.bin/tsc'), '--noEmit', '--checkers', '1', '-p', cwd)
  const run = (cwd: string, ...command: string[]) => {
    const { exitCode, stdout, stderr } = Bun.spawnSync(command, {
      cwd,
      env: { ...process.env, NO_COLOR: '1' },
    })
    return { exitCode, text: `${stdout}${stderr}` }
  }

  /** What an installation would hold, without asking a registry: the tarball, and what it says it needs. */
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'renown-plugin-'))
    await cp(example, folder, { recursive: true, filter: (path) => !path.includes('node_modules') })
    const packed = join(folder, 'packed')
    await mkdir(packed)
    expect(run(root, process.execPath, 'pm', 'pack', '--quiet', '--destination', packed).exitCode).toBe(0)
    const [tarball = ''] = await readdir(packed)
    expect(run(packed, 'tar', '-xzf', tarball).exitCode).toBe(0)
    const product = join(packed, 'package')
    const { dependencies } = await Bun.file(join(product, 'package.json')).json()
    for (const name of Object.keys(dependencies)) {
      const link = join(folder, 'node_modules', name)
      await mkdir(dirname(link), { recursive: true })
      await symlink(join(root, 'node_modules', name), link)
    }
    await run(folder, 'mv', product, join(folder, 'node_modules/renown'))
    const { compilerOptions } = await Bun.file(join(root, 'tsconfig.json')).json()
    await Bun.write(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }))
    await Bun.write(join(folder, 'shelf.ts'), plugin)
    await Bun.write(join(folder, page), component)
  })
  afterAll(() => rm(folder, { recursive: true }))

  test('compiles, its tests and the page of docs/plugin-authors/pages.md included', () => {
    expect(compile(folder)).toEqual({ exitCode: 0, text: '' })
  }, 120_000)

  describe('of a stranger, under strict settings, without skipLibCheck and with nothing installed but renown', () => {
    const shown = [...guide.matchAll(/^```jsonc\n(.*?)^```/gms)].map((match) => String(match[1]))
    const plain = { target: 'ESNext', module: 'ESNext', moduleResolution: 'Bundler', lib: ['ESNext'] }
    const strict = { strict: true, skipLibCheck: false, jsx: 'react-jsx', noEmit: true }
    test.each([
      ['the settings of docs/plugin-authors/folder.md', JSON.parse(shown[0] ?? '{}').compilerOptions],
      // The quick run leaves out what lies between the two others.
      ...(process.env.RENOWN_LONG === '1' ? [['plain strict settings', { ...plain, ...strict }]] : []),
      ['the types of the DOM', { ...plain, ...strict, lib: ['ESNext', 'DOM', 'DOM.Iterable'] }],
    ] as [string, object][])(
      'compiles with %s',
      async (_, compilerOptions) => {
        expect(compilerOptions).toMatchObject({ strict: true, skipLibCheck: false })
        const own = join(folder, 'own')
        await rm(own, { recursive: true, force: true })
        await Bun.write(join(own, 'index.ts'), await Bun.file(join(example, 'index.ts')).text())
        await Bun.write(join(own, 'shelf.ts'), plugin)
        await Bun.write(join(own, 'pages/shelf.tsx'), `${component}${everyPart}`)
        await Bun.write(join(own, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['**/*'] }))
        expect(compile(own)).toEqual({ exitCode: 0, text: '' })
      },
      60_000,
    )
  })

  test('passes its tests, those of the gate among them', () => {
    const { exitCode, text } = run(folder, process.execPath, 'test')
    const passed = Number(/(\d+) pass/.exec(text)?.[1])
    expect({ exitCode, failed: /(\d+) fail/.exec(text)?.[1], enough: passed > 10 }).toEqual({
      exitCode: 0,
      failed: '0',
      enough: true,
    })
  }, 30_000)

  describe('with the page of docs/plugin-authors/pages.md', () => {
    const start = (name: string) =>
      Bun.spawn([process.execPath, 'node_modules/renown/core/main.ts', '--json'], {
        cwd: folder,
        env: {
          PATH: process.env.PATH ?? '',
          HOME: folder,
          ...translated,
          PORT: '0',
          INGEST_PORT: '0',
          RENOWN_DATA_DIR: join(folder, name),
          RENOWN_RANGES_MIRROR: 'http://127.0.0.1:9',
          PLUGINS: './shelf.ts',
        },
        stdout: 'pipe',
        stderr: 'pipe',
      })
    beforeAll(async () => {
      await symlink(join(root, 'node_modules/chdb'), join(folder, 'node_modules/chdb')).catch(() => {})
    })

    test('is built and served by the installed product', async () => {
      const product = start('data')
      try {
        let said = ''
        for await (const part of product.stdout.pipeThrough(new TextDecoderStream())) {
          said += part
          if (said.includes('"owner_link"')) break
        }
        const facts = JSON.parse(said.split('\n').find((line) => line.includes('"owner_link"')) ?? '{}')
        const { visitor } = await signIn({ facts } as RunningProduct)
        const seen = await visitor.open('/app/shelf')
        expect(seen.text).toContain('1 on the shelf')
        const script = /<script type="module" src="([^"]+)"/.exec(seen.html)?.[1] ?? ''
        expect((await fetch(`${facts.api_url}${script}`)).status).toBe(200)
      } finally {
        product.kill('SIGTERM')
        await product.exited
      }
    }, 60_000)

    test('that does not compile is told before the product serves', async () => {
      await Bun.write(join(folder, page), component.replace('</Head>', ''))
      const product = start('other')
      expect(await product.exited).toBe(3)
      expect(await product.stderr.text()).toContain('The page /app/shelf of the plugin shelf cannot be built')
    }, 60_000)
  })

  test('the tarball holds what runs and what authors test with, and none of our own tests', async () => {
    const files = [...new Bun.Glob('**/*').scanSync(join(folder, 'node_modules/renown'))]
    expect(files).toContain('core/cli/main.ts')
    expect(files).toContain('test/support/index.ts')
    expect(files.filter((path) => path.endsWith('.test.ts') || path.startsWith('examples/'))).toEqual([])
  })
})
