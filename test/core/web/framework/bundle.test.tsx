/** @jsxImportSource ../../../../core/web/kit/jsx */
import { afterAll, describe, expect, test } from 'bun:test'
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { withCore } from '../../../../core/product/core-plugins'
import { createRegistry } from '../../../../core/registry/registry'
import { deskAssets, deskScript } from '../../../../core/web/frame/desk/desk-asset'
import { buildPages } from '../../../../core/web/framework/build-pages'
import { buildBundle } from '../../../../core/web/framework/bundle'
import type { JSX } from '../../../../core/web/kit/jsx/jsx-runtime'
import { renderToString } from '../../../../core/web/kit/jsx/render'
import { builtin } from '../../../../plugins'

const root = join(import.meta.dir, '../../../..')
const folder = mkdtempSync(join(root, 'node_modules/.renown-bundle-'))
afterAll(() => rmSync(folder, { recursive: true }))

const pragma = '/** @jsxImportSource renown/web */\n'
const source = (name: string, text: string) => {
  writeFileSync(join(folder, `${name}.tsx`), text)
  return { path: `/app/${name}`, plugin: 'strange', module: pathToFileURL(join(folder, `${name}.tsx`)) }
}
const faultOf = (...sources: ReturnType<typeof source>[]) =>
  buildBundle(sources).then(
    () => 'built',
    (error) => String(error.message),
  )

describe('what browsers run', () => {
  test('of each page in the box is under 31 KiB, zipped, with the script of the frame', async () => {
    const { assets, pages } = await buildPages(createRegistry(withCore(builtin)))
    const zipped = (address: string) =>
      (assets.get(address) ?? deskAssets.get(address))?.gzip.length ?? Number.NaN
    const weights = [...pages].map(([path, { script, preloads }]) => ({
      path,
      bytes: [script, ...preloads, deskScript].reduce((sum, address) => sum + zipped(address), 0),
    }))
    expect(weights.length).toBeGreaterThan(0)
    expect(weights.filter(({ bytes }) => !(bytes > 3_000 && bytes < 31 * 1_024))).toEqual([])
  })

  test('has one name for the same text and another for another', async () => {
    const page = (word: string) => source('word', `${pragma}export default () => <p>${word}</p>\n`)
    const built = async (word: string) => (await buildBundle([page(word)])).pages.get('/app/word')?.script
    const first = await built('one')
    expect(await built('one')).toBe(first ?? '')
    expect(await built('two')).not.toBe(first ?? '')
  })

  test('shares what pages share', async () => {
    const page = (name: string) => source(name, `${pragma}export default () => <p>${name}</p>\n`)
    const { assets, pages } = await buildBundle([page('a'), page('b')])
    expect(pages.get('/app/a')?.preloads).toEqual(pages.get('/app/b')?.preloads ?? [])
    expect(pages.get('/app/a')?.preloads.length).toBeGreaterThan(0)
    const own = assets.get(pages.get('/app/a')?.script ?? '')
    expect(own?.plain.length).toBeLessThan(1_000)
  })

  test('comes from wherever the product was started', () => {
    const elsewhere = mkdtempSync(join(tmpdir(), 'renown-bundle-'))
    const at = (path: string) => JSON.stringify(join(root, path))
    const program = `const { buildBundle } = await import(${at('core/web/framework/bundle')})
      const { counterPage } = await import(${at('test/support/pages')})
      const { pages } = await buildBundle([{ ...counterPage, plugin: 'notes' }])
      console.log(pages.get('/app/counter').script)`
    const run = Bun.spawnSync([process.execPath, '-e', program], { cwd: elsewhere })
    rmSync(elsewhere, { recursive: true })
    expect(run.stderr.toString()).toBe('')
    expect(run.stdout.toString()).toStartWith('/app/assets/')
  })
})

test('a page of a plugin with a copy of us of its own renders with ours, hooks among it', async () => {
  const apart = mkdtempSync(join(tmpdir(), 'renown-copy-'))
  const copy = (path: string, to: string) => cpSync(join(root, path), join(apart, to), { recursive: true })
  copy('core/web', 'node_modules/renown/core/web')
  copy('package.json', 'node_modules/renown/package.json')
  copy('node_modules/preact', 'node_modules/preact')
  const file = join(apart, 'page.tsx')
  writeFileSync(
    file,
    `${pragma}import { Head, useState } from 'renown/web'
    export default () => { const [n] = useState(3); return <Head title="Copy">{String(n)}</Head> }\n`,
  )
  const page = { path: '/app/copy', plugin: 'strange', module: pathToFileURL(file) }
  const { pages } = await buildBundle([page])
  rmSync(apart, { recursive: true })
  const Copy = pages.get('/app/copy')?.component as () => JSX.Element
  expect(renderToString(<Copy />)).toContain('<p>3</p>')
})

describe('a page that cannot be built is told with its plugin', () => {
  const good = () => source('good', `${pragma}export default () => <p>x</p>\n`)
  test.each([
    ['it does not parse', `${pragma}export default () => <p>\n`, '(/'],
    [
      'it has no component',
      `${pragma}export const Page = () => <p>x</p>\n`,
      'no component as its default export',
    ],
    [
      'it imports what is not there',
      `${pragma}import './nothing'\nexport default () => <p>x</p>\n`,
      'nothing',
    ],
    [
      'it takes what is for the server along',
      `${pragma}import { where } from 'renown'\nexport default () => <p>{String(where)}</p>\n`,
      'A page can import renown/web',
    ],
  ])('%s', async (name, text, words) => {
    const file = `broken-${name.replaceAll(' ', '-')}`
    const fault = await faultOf(good(), source(file, text))
    expect(fault).toContain(`The page /app/${file} of the plugin strange cannot be built`)
    expect(fault).toContain(words)
    expect(fault).not.toContain('/app/good')
  })
})
