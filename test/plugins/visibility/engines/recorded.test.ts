import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { askEngine, type EngineQuestion, findEngine } from '../../../../plugins/visibility/contract'
import { recordedEngines } from '../../../../plugins/visibility/engines/recorded'

const folder = mkdtempSync(join(tmpdir(), 'renown-recorded-'))
afterAll(() => rmSync(folder, { recursive: true }))

let files = 0
function fileOf(lines: readonly unknown[]): string {
  const path = join(folder, `${files++}.jsonl`)
  writeFileSync(path, lines.map((one) => (typeof one === 'string' ? one : JSON.stringify(one))).join('\n'))
  return path
}
function ask(path: string, engine: string, more: Partial<EngineQuestion> = {}) {
  const found = findEngine(recordedEngines, engine, 'recorded')
  if (!found) throw new Error(`there is no recorded ${engine}`)
  const limits = { VISIBILITY_SEARCHES_PER_DAY: 1, VISIBILITY_SEARCHES_PER_ANSWER: 1 }
  const ctx = { settings: { VISIBILITY_RECORDED_FILE: path, ...limits } } as never
  return askEngine(ctx, found, { prompt: 'Who?', country: 'GB', language: 'en', ...more })
}
const acme = { engine: 'chatgpt', prompt: 'Who?', text: 'Acme.' }

test('a recorded answer is returned with its sources, its model and its cost', async () => {
  const source = { url: 'https://acme.example/', title: 'Acme' }
  const line = { ...acme, cited: [source], queries: ['acme'], model: 'gpt-6', cost_usd: 0.01, raw: { a: 1 } }
  expect(await ask(fileOf([line]), 'chatgpt')).toEqual({
    ok: true,
    answer: {
      text: 'Acme.',
      cited: [{ ...source, domain: 'acme.example' }],
      consulted: [],
      queries: ['acme'],
      search_calls: 1,
      model_asked: '',
      model_answered: 'gpt-6',
      place_pinned: 'none',
      cost_usd: 0.01,
      cost_basis: 'reported',
      odd: [],
      raw: { a: 1 },
    },
  })
})

test('answers to one prompt come in turn, those of a country before others', async () => {
  const texts = ['one', 'two', 'three']
  const path = fileOf([
    ...texts.map((text) => ({ ...acme, text })),
    { ...acme, country: 'DE', text: 'deutsch' },
    { ...acme, prompt: '*', text: 'any' },
  ])
  const said = async (more: Partial<EngineQuestion> = {}) => {
    const outcome = await ask(path, 'chatgpt', more)
    return outcome.ok ? outcome.answer.text : outcome.fault.code
  }
  expect([await said(), await said(), await said(), await said()]).toEqual([...texts, 'one'])
  expect(await said({ country: 'DE' })).toBe('deutsch')
  expect(await said({ prompt: 'Who else?' })).toBe('any')
})

test('what was not recorded is a fault, and never an engine without an answer', async () => {
  const path = fileOf([acme, { ...acme, prompt: 'Nothing?', text: '', ended: 'none' }])
  expect(await ask(path, 'claude')).toMatchObject({
    ok: false,
    fault: { kind: 'refused', code: 'not_recorded' },
  })
  expect(await ask(path, 'chatgpt', { prompt: 'Nothing?' })).toMatchObject({ fault: { kind: 'no_answer' } })
  expect(await ask('', 'chatgpt')).toMatchObject({ fault: { needs: ['VISIBILITY_RECORDED_FILE'] } })
  expect(await ask(join(folder, 'none'), 'chatgpt')).toMatchObject({ fault: { code: 'recording' } })
})

test.each(['{', '[]', '{"engine":"chatgpt"}', { ...acme, cost_usd: -1 }, { ...acme, texts: 'x' }])(
  'a line that cannot be read is named: %j',
  async (line) => {
    const outcome = await ask(fileOf([acme, '', line]), 'chatgpt')
    expect(outcome).toMatchObject({ ok: false, fault: { kind: 'refused', code: 'recording' } })
    expect(outcome.ok ? '' : outcome.fault.message).toContain('line 3')
  },
)
