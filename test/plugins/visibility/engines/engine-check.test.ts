import { expect, test } from 'bun:test'
import type { OwnerContext } from 'renown'
import openai from '../../../../plugins/openai'
import { engineCheck } from '../../../../plugins/visibility/engines/engine-check'
import { platformWorld } from '../../../support/source-world'
import { createResponses } from '../../../support/stand-ins/engines/responses'

const key = 'sk-test-openai-key'

/** What doctor says of OpenAI, whose list names these models. The clock says 15 March 2026. */
async function check(models: readonly object[], settings: Record<string, string> = { OPENAI_API_KEY: key }) {
  const standIn = createResponses({ key, dialect: 'openai', models })
  const all = { OPENAI_URL: 'http://openai.test/v1', OPENAI_MODEL: 'm', ...settings }
  const world = await platformWorld({ plugin: openai, settings: all }, standIn.fetch)
  try {
    const checks = await engineCheck.run(world.ctx as OwnerContext, AbortSignal.timeout(45_000))
    return { checks, requests: world.asked.count }
  } finally {
    await world.stop()
  }
}
const found = async (...given: Parameters<typeof check>) =>
  (await check(...given)).checks.find(({ name }) => name === 'AI engine chatgpt')

test('an engine without access is listed with the settings that it needs, and not asked', async () => {
  const { checks, requests } = await check([], {})
  expect(checks).toHaveLength(1)
  expect(checks[0]).toMatchObject({ name: 'AI engines', status: 'ok' })
  expect(checks[0]?.found).toStartWith('none is set up; unavailable: ')
  for (const one of ['chatgpt (OPENAI_API_KEY)', 'gemini:v1 (GEMINI_API_KEY)', 'claude (ANTHROPIC_API_KEY)'])
    expect(checks[0]?.found).toContain(one)
  expect(checks[0]?.found).toContain('google_ai_mode by dataforseo (DATAFORSEO_LOGIN, DATAFORSEO_PASSWORD)')
  expect(requests).toBe(0)
})

test('a model that ends is told of 60 days ahead, by the list of the engine', async () => {
  const ending = (shutdown_date: string | null) => found([{ id: 'm', shutdown_date }])
  expect(await ending(null)).toMatchObject({ status: 'ok', found: 'm, no end announced' })
  expect(await ending('2026-05-20')).toMatchObject({
    status: 'ok',
    found: 'm ends on 2026-05-20, in 66 days',
  })
  expect(await ending('2026-05-14')).toMatchObject({
    status: 'warn',
    found: 'm ends on 2026-05-14, in 60 days',
    mend: expect.stringContaining('OPENAI_MODEL'),
  })
  expect(await ending('2026-03-01')).toMatchObject({ status: 'warn', found: expect.stringContaining('past') })
  expect(await found([{ id: 'm', lifecycle: 'retired' }])).toMatchObject({ status: 'fail' })
  expect(await found([{ id: 'other' }])).toMatchObject({
    status: 'warn',
    found: 'm is not among its 1 models',
  })
})

test('a key that is refused fails, and a list that cannot be read proves nothing', async () => {
  expect(await found([{ id: 'm' }], { OPENAI_API_KEY: 'wrong' })).toMatchObject({
    status: 'fail',
    found: expect.stringContaining('OPENAI_API_KEY'),
  })
  expect(await found([])).toMatchObject({
    status: 'warn',
    found: expect.stringContaining('could not be read'),
  })
})
