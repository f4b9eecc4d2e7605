import { expect, test } from 'bun:test'
import { shrink } from './shrink'

const long = Array.from({ length: 200 }, (_, n) => ({ n, noise: [n, n + 1] }))
const has = (steps: readonly { n: number }[], n: number) => steps.some((step) => step.n === n)

test('what fails because of three steps is shrunk to these, each as simple as it goes', async () => {
  let tries = 0
  const fails = async (steps: typeof long) => {
    tries++
    return has(steps, 3) && has(steps, 77) && has(steps, 198)
  }
  const simpler = (step: (typeof long)[number]) =>
    step.noise.length === 0
      ? []
      : [
          { ...step, noise: [] },
          { ...step, noise: step.noise.slice(1) },
        ]
  expect(await shrink(long, fails as never, { simpler })).toEqual([
    { n: 3, noise: [] },
    { n: 77, noise: [] },
    { n: 198, noise: [] },
  ])
  expect(tries).toBeLessThan(200)
})

test('nothing is tried beyond the time that is given', async () => {
  let tries = 0
  await shrink(long, async () => ++tries < 0, { budgetMs: -1 })
  expect(tries).toBe(0)
})
