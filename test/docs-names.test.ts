import { describe, expect, test } from 'bun:test'
import { settings } from '../core/contracts/settings'
import { pages, readPage as read, docsRoot as root } from './support/docs-pages'
import { shippedRegistry } from './support/shipped'

/** Names of the environment that are no settings of the product: of tests, benchmarks and outside software. */
const others =
  /^(RENOWN_TEST_|RENOWN_BENCH_|OTEL_|BENCH_|GUILD_|RENOWN_(TOOLS|LONG|MUTANTS|GOLDEN|TOKEN|FORWARDER_TOKEN|PROXIES|KEY|OTHER_KEY|READ_TOKEN)$|WP_|NOT_FOUND$)/
const known = new Map([...Object.entries(settings), ...shippedRegistry().settings])

const faultsOfSettings = (text: string): string[] =>
  [...text.matchAll(/`([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)(?:=[^`\n]*)?`(?: \(`?([^)`\n]{1,40})`?\))?/g)].flatMap(
    ([, name = '', value]) => {
      const setting = known.get(name)
      if (!setting) return others.test(name) ? [] : [`${name} is no setting`]
      const isDefault = value === undefined || !/^[\d./]/.test(value) || value === setting.fallback
      return isDefault ? [] : [`the default of ${name} is ${setting.fallback}, not ${value}`]
    },
  )

const faultsOfMetrics = (text: string, names: ReadonlySet<string>): string[] =>
  [...text.matchAll(/\brenown_(?:ingest|gateway)_[a-z_]*[a-z]/g)]
    .map(([name]) => name)
    .filter((name) => !names.has(name))

/** Every metric that the code declares, with the prefix of its process. */
async function declaredMetrics(): Promise<Set<string>> {
  const names = new Set<string>()
  for (const path of new Bun.Glob('{core,ingest}/**/*.ts').scanSync(root)) {
    const text = await Bun.file(`${root}/${path}`).text()
    for (const [name] of text.matchAll(/\brenown_(?:ingest|gateway)_[a-z_]+/g)) names.add(name)
    for (const [, process, end] of text.matchAll(/\$\{(prefix|part)\}(_[a-z_]+)/g))
      for (const part of process === 'part' ? ['gateway', 'ingest'] : ['ingest'])
        names.add(`renown_${part}${end}`)
  }
  return names
}

describe('every setting that a page names exists, with the default that the page gives', () => {
  test.each(pages)('%s', async (page) => {
    expect(faultsOfSettings(await read(page))).toEqual([])
  })

  test.each([
    ['set `PATHS_PER_DAYS_MAX`', 'PATHS_PER_DAYS_MAX is no setting'],
    ['after `AUDIT_KEPT_DAYS` (30)', 'the default of AUDIT_KEPT_DAYS is 400, not 30'],
    ['`RENOWN_INGESTS=off`', 'RENOWN_INGESTS is no setting'],
  ])('a wrong one is found: %s', (text, fault) => {
    expect(faultsOfSettings(text)).toEqual([fault])
  })
})

describe('every metric that a page names is one of the code', async () => {
  const names = await declaredMetrics()
  test.each(pages)('%s', async (page) => {
    expect(faultsOfMetrics(await read(page), names)).toEqual([])
  })

  test('a wrong one is found', () => {
    expect(faultsOfMetrics('`renown_ingest_hit_total{kind}`', names)).toEqual(['renown_ingest_hit_total'])
  })
})
