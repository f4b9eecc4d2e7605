import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { getPromptPerformance } from '../../../plugins/visibility/operations/getPromptPerformance'
import { getShareOfVoice } from '../../../plugins/visibility/operations/getShareOfVoice'
import { getVisibilitySummary } from '../../../plugins/visibility/operations/getVisibilitySummary'
import { listCitedSources } from '../../../plugins/visibility/operations/listCitedSources'
import { visibilityBench } from './support/bench'

const day = fc
  .integer({ min: 0, max: 59 })
  .map((n) => new Date(Date.parse('2026-01-16T12:00:00.000Z') + n * 86_400_000).toISOString())
const domains = ['acme.example', 'guide.example', 'rival.example']
const citation = fc
  .record({ domain: fc.constantFrom(...domains), path: fc.integer({ min: 1, max: 3 }), cited: fc.boolean() })
  .map(({ domain, path, cited }) => ({
    url: `https://${domain}/${path}`,
    domain,
    is_own: domain === 'acme.example',
    cited,
  }))
const run = fc
  .record({
    prompt_id: fc.constantFrom('vpr_1', 'vpr_2'),
    engine: fc.constantFrom('chatgpt', 'claude'),
    status: fc.constantFrom('ok', 'ok', 'ok', 'error', 'no_answer'),
    started_at: day,
    brand_mentioned: fc.boolean(),
    brand_cited: fc.boolean(),
    place: fc.option(fc.integer({ min: 1, max: 5 }), { nil: null }),
    competitor_mentions: fc.array(fc.record({ name: fc.constantFrom('Beta', 'Gamma', 'Other') }), {
      maxLength: 3,
    }),
    citations: fc.array(citation, { maxLength: 4 }),
  })
  .map(({ place, ...row }) => ({
    ...row,
    ...(row.brand_mentioned && place !== null ? { brand_position: place } : {}),
  }))

const average = (list: readonly number[]) =>
  list.length === 0 ? null : list.reduce((sum, n) => sum + n, 0) / list.length
const near = (a: number | null, b: number | null) =>
  a === null || b === null ? a === b : Math.abs(a - b) < 1e-4

/** The mean over cells, without the product's code. */
function cellsByHand(answers: readonly { prompt_id: string; engine: string; brand_mentioned: boolean }[]) {
  const cells = [...Map.groupBy(answers, ({ prompt_id, engine }) => `${prompt_id} ${engine}`).values()]
  const rate = average(cells.map((cell) => average(cell.map((row) => Number(row.brand_mentioned))) ?? 0))
  return {
    k: answers.filter(({ brand_mentioned }) => brand_mentioned).length,
    n: answers.length,
    rate: rate === null ? null : expect.closeTo(rate, 5),
    cells: cells.length,
    rounds: Math.max(0, ...cells.map(({ length }) => length)),
  }
}

test('figures over any runs are those of a plain sum', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(run, { maxLength: 30 }),
      fc.integer({ min: 1, max: 30 }),
      async (runs, days) => {
        const held = await visibilityBench()
        await held.prompt('vpr_1')
        await held.prompt('vpr_2')
        for (const row of runs) await held.run(row)
        const performance = await held.ask(getPromptPerformance, { tracker_id: 'vtr_1', days })
        const summary = await held.ask(getVisibilitySummary, { days })
        const voice = await held.ask(getShareOfVoice, { tracker_id: 'vtr_1', days })
        const cited = await held.ask(listCitedSources, { days })
        await held.bench.stop()

        const { date_from, date_to } = summary.period
        const on = ({ started_at }: { started_at: string }) => started_at.slice(0, 10)
        const inside = runs.filter((row) => on(row) >= date_from && on(row) <= date_to)
        const answers = inside.filter(({ status }) => status === 'ok')

        expect(summary.totals.runs).toBe(answers.length)
        expect(summary.totals.mentions).toBe(answers.filter((row) => row.brand_mentioned).length)
        expect(summary.totals.citations).toBe(answers.filter((row) => row.brand_cited).length)
        expect(summary.by_status.reduce((sum, { runs: n }) => sum + n, 0)).toBe(inside.length)
        for (const list of [summary.by_engine, summary.by_tracker, summary.trend, performance.prompts]) {
          expect(list.reduce((sum, { runs: n }) => sum + n, 0)).toBe(answers.length)
          expect(list.reduce((sum, { mentions }) => sum + mentions, 0)).toBe(summary.totals.mentions)
        }
        expect(summary.totals.mention_rate_v2).toMatchObject(cellsByHand(answers))
        for (const one of summary.by_engine) {
          const own = answers.filter(({ engine }) => engine === one.engine)
          expect(one.mention_rate_v2).toMatchObject(cellsByHand(own))
        }
        expect(summary.empty_because === null).toBe(answers.length > 0)
        for (const prompt of performance.prompts) {
          const mine = answers.filter((row) => row.prompt_id === prompt.prompt_id)
          const places = mine.flatMap((row) => ('brand_position' in row ? [Number(row.brand_position)] : []))
          expect(near(prompt.avg_position, average(places))).toBe(true)
          expect(near(prompt.mention_rate, average(mine.map((row) => Number(row.brand_mentioned))))).toBe(
            true,
          )
          expect(prompt.by_engine.reduce((sum, { runs: n }) => sum + n, 0)).toBe(prompt.runs)
        }

        const naming = (name: string) =>
          answers.filter((row) =>
            name === 'Acme' ? row.brand_mentioned : row.competitor_mentions.some((one) => one.name === name),
          ).length
        const all = naming('Acme') + naming('Beta') + naming('Gamma')
        for (const { name, share_of_voice, presence } of voice.voices) {
          expect([share_of_voice.k, share_of_voice.n]).toEqual([naming(name), all])
          expect([presence.k, presence.n]).toEqual([naming(name), answers.length])
        }

        for (const domain of domains) {
          const cites = answers.map((row) => row.citations.filter((one) => one.domain === domain))
          const source = cited.sources.find((one) => one.domain === domain)
          const inAnswers = cites.filter((list) => list.some((one) => one.cited)).length
          expect(source?.cited.k ?? 0).toBe(inAnswers)
          expect(source?.citations ?? 0).toBe(cites.flat().filter((one) => one.cited).length)
          expect((source?.consulted ?? 0) + inAnswers).toBe(cites.filter((list) => list.length > 0).length)
        }
      },
    ),
    { numRuns: process.env.RENOWN_LONG ? 300 : 25 },
  )
}, 120_000)
