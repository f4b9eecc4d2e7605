import { beforeAll, expect, test } from 'bun:test'
import { cpSync, existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describeWith } from './support/needs'
import { install, packProduct, run } from './support/packed'
import { startProduct } from './support/product'

const root = join(import.meta.dir, '..')

describeWith('npm packages')('what `bun start` installs', async () => {
  const manifest = await Bun.file(join(root, 'package.json')).json()
  const dependencies = Object.keys(manifest.dependencies)
  const tools = Object.keys(manifest.devDependencies)
  const [installs = ''] = String(manifest.scripts.start).split(' && ')
  const words = installs.split(' ').slice(1)
  let checkout: string
  const missing = (names: readonly string[]) =>
    names.filter((name) => !existsSync(join(checkout, 'node_modules', name)))

  beforeAll(() => {
    const { folder, tarball } = packProduct()
    run(folder, ['-e', `await Bun.$\`tar -xzf ${tarball}\``])
    checkout = join(folder, 'package')
    for (const name of ['bun.lock', 'bunfig.toml']) cpSync(join(root, name), join(checkout, name))
    for (const manifest of new Bun.Glob('{conformance,examples/*}/package.json').scanSync(root))
      cpSync(join(root, manifest), join(checkout, manifest))
  })

  test('is what runs, and none of the tools of developers', async () => {
    await using product = await startProduct({ cwd: checkout, command: ['run', 'start'] })
    expect((await fetch(`${product.facts.api_url}/api/surface`)).status).toBeLessThan(500)
    expect(missing(dependencies)).toEqual([])
    expect(missing(tools)).toEqual(tools)
  }, 120_000)

  test('leaves the tools of a developer where they are', () => {
    install(checkout, ['install', '--frozen-lockfile', '--silent'])
    expect(missing(tools)).toEqual([])
    const before = readdirSync(join(checkout, 'node_modules')).sort()
    install(checkout, words)
    expect(readdirSync(join(checkout, 'node_modules')).sort()).toEqual(before)
    expect(missing(tools)).toEqual([])
  }, 120_000)

  test.each(['ingest'])('is the same for `bun run %s`', (name) => {
    expect(manifest.scripts[name]).toStartWith(`${installs} && `)
  })
})
