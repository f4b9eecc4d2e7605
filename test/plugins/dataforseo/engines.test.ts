import { expect, test } from 'bun:test'
import { testVisibilityEngine } from 'renown/testing'
import { askEngine } from 'renown/visibility'
import dataforseo from '../../../plugins/dataforseo'
import { dataforseoEngines } from '../../../plugins/dataforseo/engines'
import { platformWorld } from '../../support/source-world'
import { createDataforseoAnswers } from '../../support/stand-ins/engines/dataforseo'

const login = 'me@example.com'
const password = 'dfs-secret-password'
const settings = { DATAFORSEO_URL: 'http://dfs.test', DATAFORSEO_LOGIN: login }
const base = {
  plugin: dataforseo,
  secret: ['DATAFORSEO_PASSWORD', password] as const,
  settings: { ...settings, DATAFORSEO_ANSWERS_PER_DAY: '100000' },
  costBasis: 'reported' as const,
  costUsd: 0.004,
  capsSearches: false,
  givesSpans: false,
}
const google = {
  saysNone: ['tasks.n.result.n.items.n.references'],
  namesModel: false,
  givesFound: false,
  givesQueries: false,
} as const
/** Lists are null when they are empty. */
const saysNone = ['sources', 'search_results', 'fan_out_queries'].map((one) => `tasks.n.result.n.${one}`)
const standIn = (finds: boolean) => () => createDataforseoAnswers({ login, password, finds })
const overviews = () => ({ ...standIn(false)(), endings: ['none'] as const })

testVisibilityEngine({ ...base, ...google, name: 'dataforseo-google-ai-overview', standIn: overviews })
testVisibilityEngine({ ...base, ...google, name: 'dataforseo-google-ai-mode', standIn: overviews })
testVisibilityEngine({ ...base, name: 'dataforseo-chatgpt', saysNone, standIn: standIn(true) })
testVisibilityEngine({
  saysNone,
  ...base,
  name: 'dataforseo-gemini',
  givesFound: false,
  givesQueries: false,
  standIn: standIn(false),
})

test('DataForSEO is asked from the country, in the language, as often as a day allows', async () => {
  const service = standIn(true)()
  service.set({ text: 'Acme', cited: [], found: [], queries: [] })
  const limited = { ...settings, DATAFORSEO_PASSWORD: password, DATAFORSEO_ANSWERS_PER_DAY: '3' }
  const world = await platformWorld({ plugin: dataforseo, settings: limited }, service.fetch)
  try {
    const [engine] = dataforseoEngines
    if (!engine) throw new Error('there is no engine')
    const ask = (country: string, language: string) =>
      askEngine(world.ctx, engine, { prompt: 'Who?', country, language })
    for (const [country, language] of [
      ['GB', 'en-GB'],
      ['TW', 'zh-Hant-TW'],
      ['CN', 'zh'],
    ] as const)
      expect(await ask(country, language)).toMatchObject({ ok: true, answer: { place_pinned: 'country' } })
    expect(service.places).toEqual([
      [2_826, 'en'],
      [2_158, 'zh-TW'],
      [2_156, 'zh-CN'],
    ])
    expect(await ask('GB', 'en')).toMatchObject({
      ok: false,
      fault: { kind: 'limited', code: 'daily_allowance' },
    })
    expect(await ask('ZZ', 'en')).toMatchObject({ ok: false, fault: { kind: 'refused', code: 'country' } })
    expect(service.places).toHaveLength(3)
  } finally {
    await world.stop()
  }
})
