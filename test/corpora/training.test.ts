import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { halfOf } from '../support/judges/corpora'
import { intentTexts, relevanceTexts } from '../support/judges/examples'
import { learn, sumOf } from '../support/judges/logistic'
import { intentTraining, relevanceTraining, train } from '../support/judges/training'

const weights = join(import.meta.dir, '../../plugins/leads/judging/weights')

test.each([relevanceTraining, intentTraining])(
  'the weights in $file are those that the texts teach (mend with `bun run train`)',
  (training) => {
    expect(readFileSync(join(weights, training.file), 'utf8')).toBe(train(training))
  },
)

test('no text of the reporting half teaches', () => {
  const reported = new Set([...relevanceTexts('report'), ...intentTexts('report')].map(({ id }) => id))
  const taught = [relevanceTraining, intentTraining].flatMap(({ texts }) => texts())
  expect(taught.filter(({ id }) => reported.has(id))).toEqual([])
  expect(taught.filter(({ id }) => /^[a-z]-\d{3}$/.test(id) && halfOf({ id }) === 'report')).toEqual([])
})

test('a feature keeps the sign that its meaning gives it', () => {
  const examples = Array.from({ length: 20 }, (_, n) => ({
    features: new Map([
      ['price', n % 2],
      ['name', 1 - (n % 2)],
    ]),
    isYes: n % 2 === 0,
  }))
  const learnt = learn(examples, 1, (feature) => (feature === 'price' ? 1 : 0))
  expect(learnt.weights.get('price')).toBe(0)
  expect(sumOf(learnt, new Map([['name', 1]]))).toBeGreaterThan(sumOf(learnt, new Map([['name', 0]])))
  expect(learn(examples, 1, () => null).weights.size).toBe(0)
})
