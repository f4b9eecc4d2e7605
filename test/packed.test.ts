import { beforeAll, expect, test } from 'bun:test'
import { cpSync, existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  createGuild,
  guildClient,
  guildMember,
  guildRefreshToken,
} from '../examples/guild-reviews/guild-stand-in'
import { describeWith } from './support/needs'
import { install, type PackedProduct, packProduct, run } from './support/packed'
import { signIn } from './support/person'
import { type RunningProduct, startProduct } from './support/product'
import { waitFor } from './support/wait-for'

const root = join(import.meta.dir, '..')
const examples = ['app-reviews', 'guild-reviews']
const isLong = process.env.RENOWN_LONG === '1'
/** Compiling takes seconds. `examples.test.ts` compiles the small one, and guild-reviews imports more of the product. */
const compiled = isLong ? examples : ['guild-reviews']
/** One checker: each further one types again what they share. */
const tsc = [join(root, 'node_modules/typescript/bin/tsc'), '--noEmit', '--checkers', '1', '-p']

/** The settings for TypeScript that docs/plugin-authors/folder.md shows. */
async function shownSettings() {
  const page = await Bun.file(join(root, 'docs/plugin-authors/folder.md')).text()
  return JSON.parse(/^```jsonc\n(.*?)^```/ms.exec(page)?.[1] ?? '{}')
}

/** A stranger's own folder: the example, and nothing of the repository. */
async function ownFolder({ folder, tarball }: PackedProduct, name: string): Promise<string> {
  const own = join(folder, name)
  cpSync(join(root, 'examples', name), own, {
    recursive: true,
    filter: (path) => !path.includes('node_modules'),
  })
  cpSync(tarball, join(own, 'renown-1.0.0.tgz'))
  const manifest = await Bun.file(join(own, 'package.json')).json()
  manifest.devDependencies.renown = './renown-1.0.0.tgz'
  writeFileSync(join(own, 'package.json'), JSON.stringify(manifest))
  install(own, ['install', '--silent'])
  return own
}

/** What a plugin's author hands over. */
function shipped(own: string): string {
  run(own, ['pm', 'pack', '--quiet', '--destination', join(own, 'shipped')])
  const [tarball = ''] = readdirSync(join(own, 'shipped'))
  return join(own, 'shipped', tarball)
}

const read = async ({ facts }: RunningProduct, path: string) => {
  const headers = { authorization: `Bearer ${facts.agent_key}`, 'x-workspace-id': facts.workspace_id }
  const answer = await fetch(`${facts.api_url}${path}`, { headers })
  return { status: answer.status, body: await answer.json() }
}

describeWith('npm packages')('a plugin in a folder of its own, with the packed product', () => {
  const folders = new Map<string, string>()
  const of = (name: string) => folders.get(name) as string
  let packed: PackedProduct

  beforeAll(async () => {
    packed = packProduct({ withTypes: true })
    for (const name of examples) folders.set(name, await ownFolder(packed, name))
  }, 300_000)

  test.each(compiled)(
    '%s compiles with the settings of docs/plugin-authors/folder.md, its tests included',
    async (name) => {
      const settings = await shownSettings()
      const { compilerOptions } = settings
      const tests = {
        compilerOptions: { ...compilerOptions, skipLibCheck: true },
        include: ['*.ts', '*.tsx'],
      }
      writeFileSync(join(of(name), 'tsconfig.json'), JSON.stringify(settings))
      writeFileSync(join(of(name), 'tsconfig.tests.json'), JSON.stringify(tests))
      for (const project of ['tsconfig.json', 'tsconfig.tests.json'])
        expect(run(of(name), [...tsc, project])).toBe('')
    },
    180_000,
  )

  test(`both compile with NodeNext${isLong ? ', their tests included,' : ','} once their own imports have file extensions`, async () => {
    const folder = join(packed.folder, 'nodenext')
    for (const name of examples) {
      for (const path of new Bun.Glob('*.{ts,tsx}').scanSync(of(name))) {
        const text = await Bun.file(join(of(name), path)).text()
        const withExtensions = text.replace(/ from '\.\/([^']+)'/g, (_, own: string) => {
          const isTsx = existsSync(join(of(name), `${own}.tsx`))
          return ` from './${own}.${isTsx ? 'tsx' : 'ts'}'`
        })
        await Bun.write(join(folder, name, path), withExtensions)
      }
    }
    symlinkSync(join(of('guild-reviews'), 'node_modules'), join(folder, 'node_modules'))
    writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }')
    const { compilerOptions, ...settings } = await shownSettings()
    const own = { module: 'NodeNext', moduleResolution: 'NodeNext', allowImportingTsExtensions: true }
    for (const [skipLibCheck, parts] of [
      [false, settings],
      ...(isLong ? ([[true, { include: ['*/*.ts', '*/*.tsx'] }]] as const) : []),
    ] as const) {
      const options = { ...compilerOptions, ...own, skipLibCheck }
      writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, ...parts }))
      expect(run(folder, [...tsc, '.'])).toBe('')
    }
    // A wrong type is found: the types of the product are not `any`.
    writeFileSync(
      join(folder, 'wrong.ts'),
      "import { dayMs } from 'renown'\nexport const wrong: string = dayMs\n",
    )
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ compilerOptions: { ...compilerOptions, ...own }, files: ['wrong.ts'] }),
    )
    expect(() => run(folder, [...tsc, '.'])).toThrow('TS2322')
  }, 300_000)

  test.each(examples)(
    '%s passes its own tests there',
    (name) => {
      const said = run(of(name), ['test'])
      expect(Number(/(\d+) pass/.exec(said)?.[1])).toBeGreaterThan(10)
      expect(said).toContain(' 0 fail')
    },
    180_000,
  )

  test('a product started there reads the reviews of a shop with a connected account', async () => {
    const guild = createGuild()
    guild.reviews = [{ id: 'r1', stars: 4, text: 'Fine work', written: '2026-03-01T10:00:00.000Z' }]
    guild.shops = [{ id: 'shop-12', name: 'Acme', city: 'Leeds' }]
    const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: guild.fetch })
    try {
      await using product = await startProduct({
        cwd: of('guild-reviews'),
        command: ['run', 'renown', 'start'],
        env: {
          PLUGINS: './index.ts',
          GUILD_URL: `http://127.0.0.1:${server.port}`,
          GUILD_CLIENT_ID: guildClient.id,
          GUILD_CLIENT_SECRET: guildClient.secret,
        },
      })
      const renown = async (...words: string[]) => {
        const { code, stdout, stderr } = await product.renown(...words, '--json')
        expect([code, stderr]).toEqual([0, ''])
        return JSON.parse(stdout)
      }
      const { workspace_id } = product.facts
      const file = join(of('guild-reviews'), 'token.txt')
      await Bun.write(file, guildRefreshToken)
      const account = ['--account-id', guildMember.id, '--workspace-id', workspace_id]
      const words = ['--provider', 'guild', ...account, '--token-file', file]
      const { connection_id } = await renown('connection', 'add', ...words)
      const { locations } = await renown(
        'connection',
        'location',
        'import',
        connection_id,
        'member-7/shop-12',
      )
      expect(locations).toMatchObject([{ outcome: 'added' }])
      const [{ location_id }] = locations
      const query = encodeURIComponent(JSON.stringify({ location_id }))
      const path = `/api/entities/Review?q=${query}`
      const found = await waitFor(
        async () => {
          const { body } = await read(product, path)
          return Array.isArray(body) && body.length > 0 ? body : null
        },
        { what: 'the review to be read', timeoutMs: 60_000 },
      )
      expect(found).toMatchObject([{ source: 'guild', star_rating: 4, review_text: 'Fine work' }])
      const { visitor } = await signIn(product)
      const { text } = await visitor.open(`/app/locations/one?location=${location_id}`)
      expect(text).toContain('1 review at the Guild, 1 with four or five stars.')
    } finally {
      await server.stop(true)
    }
  }, 120_000)

  test('what authors hand over holds the plugin alone, and an installation loads it by its name', async () => {
    const tarballs = examples.map((name) => shipped(of(name)))
    const installation = join(packed.folder, 'installation')
    mkdirSync(installation)
    writeFileSync(join(installation, 'package.json'), '{ "private": true }')
    install(installation, ['add', '--silent', packed.tarball, ...tarballs])
    const held = join(installation, 'node_modules/renown-plugin-guild')
    expect([...new Bun.Glob('**').scanSync(held)].sort()).toEqual(
      [
        'README.md',
        'ask-as-member.ts',
        'ask-guild.ts',
        'card.ts',
        'connection.ts',
        'guild-card.tsx',
        'index.ts',
        'package.json',
        'reviews.ts',
        'settings.ts',
        'setup.ts',
        'shop-id.ts',
        'token.ts',
      ].sort(),
    )
    await using product = await startProduct({
      cwd: installation,
      command: ['run', 'renown', 'start'],
      env: { PLUGINS: 'renown-plugin-app-reviews,renown-plugin-guild' },
    })
    expect(await read(product, '/api/entities/AppReview')).toEqual({ status: 200, body: [] })
    const help = await product.renown('connection', 'add', '--help')
    expect(help.stdout).toContain('guild')
  }, 120_000)

  test('a checkout loads a folder that has no copy of the product', async () => {
    const far = join(packed.folder, 'far')
    mkdirSync(far)
    writeFileSync(join(far, 'package.json'), '{ "private": true }')
    install(far, ['add', '--silent', shipped(of('app-reviews'))])
    const modules = join(far, 'node_modules')
    expect(readdirSync(modules).sort()).toEqual(['renown-plugin-app-reviews', 'valibot'])
    const PLUGINS = join(modules, 'renown-plugin-app-reviews/index.ts')
    await using product = await startProduct({ env: { PLUGINS } })
    expect(await read(product, '/api/entities/AppReview')).toEqual({ status: 200, body: [] })
  }, 120_000)
})
