import { expect, test } from 'bun:test'
import { readPage } from '../support/docs-pages'
import { measuredJudges } from '../support/judges/judges'
import { judgeAll, judgesPage } from '../support/judges/judges-page'
import { measure, printedShare } from '../support/judges/measure'

const before = process.cpuUsage()
const judged = await judgeAll(measuredJudges)
const { user, system } = process.cpuUsage(before)

test('docs/reference/judges.md prints what the judges reach on the reporting half (mend with `bun run docs`)', async () => {
  expect(await readPage('docs/reference/judges.md')).toBe(judgesPage(judged))
})

test('no judge needs more than a few milliseconds for a text', () => {
  const texts = judged.reduce((sum, one) => sum + one.texts.length, 0)
  expect((user + system) / 1_000 / texts).toBeLessThan(3)
})

test('a text that is not judged is missed, and no false alarm', () => {
  const looking = {
    name: 'a judge',
    isWanted: (label: string) => label === 'yes',
    isFound: (verdict: string) => verdict === 'yes',
  }
  const text = (label: string, verdict: string | null) => ({ id: 'x-001', language: 'en', label, verdict })
  const {
    judged: n,
    precision,
    recall,
    falseAlarms,
    texts,
  } = measure(
    [text('yes', 'yes'), text('yes', null), text('yes', 'no'), text('no', null), text('no', 'yes')],
    looking,
  )
  expect([texts, n]).toEqual([5, 3])
  expect([precision, recall, falseAlarms].map(({ k, n }) => [k, n])).toEqual([
    [1, 2],
    [1, 3],
    [1, 2],
  ])
  expect(printedShare(precision)).toBe('0.50 (0.09 to 0.91), 1 of 2')
  expect(printedShare({ k: 0, n: 0, ci95: null })).toBe('–')
})

test('an exact judge is right only with the same verdict', () => {
  const exact = {
    name: 'a judge',
    isWanted: (label: string) => label !== 'none',
    isFound: (verdict: string) => verdict !== 'none',
    isRight: (label: string, verdict: string) => label === verdict,
  }
  const text = (label: string, verdict: string) => ({ id: 'x-001', language: 'en', label, verdict })
  const { precision, recall } = measure(
    [text('good', 'good'), text('good', 'bad'), text('bad', 'none'), text('none', 'good')],
    exact,
  )
  expect([precision, recall].map(({ k, n }) => [k, n])).toEqual([
    [1, 3],
    [1, 3],
  ])
})
