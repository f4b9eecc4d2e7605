import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { platforms } from '../../plugins'

const root = join(import.meta.dir, '../..')
const sources: { readonly path: string; readonly text: string }[] = []
for (const folder of ['core', 'ingest', 'plugins']) {
  for await (const path of new Bun.Glob(`${folder}/**/*.{ts,tsx}`).scan(root))
    sources.push({ path, text: await Bun.file(join(root, path)).text() })
}

// A platform whose addresses and credentials people enter needs no settings.
const withSettings = platforms.filter(({ settings }) => settings !== undefined)
test.each(withSettings.map(({ name, settings }) => [name, Object.keys(settings?.declared ?? {})] as const))(
  'the settings of %s are named by its own plugin alone',
  (name, settings) => {
    expect(settings.length).toBeGreaterThan(0)
    const outside = sources.filter(({ path }) => !path.startsWith(`plugins/${name}/`))
    const naming = outside.filter(({ text }) => settings.some((one) => new RegExp(`\\b${one}\\b`).test(text)))
    expect(naming.map(({ path }) => path)).toEqual([])
  },
)

test('one file asks the Places API and counts its calls', () => {
  const senders = sources.filter(
    ({ path, text }) => path.startsWith('plugins/places/') && /\boutbound\.(?:ask|spend)\(/.test(text),
  )
  expect(senders.map(({ path }) => path)).toEqual(['plugins/places/ask.ts'])
})
