import { expect, test } from 'bun:test'
import { createTurns } from '../../../../ingest/http/decoding/turns'

/** Turns whose event loop a test moves. */
function turnsOf() {
  const planned: (() => void)[] = []
  const next = createTurns((work) => void planned.push(work))
  const order: string[] = []
  const body = async (of: string, slices: number) => {
    for (let slice = 0; slice < slices; slice++) {
      await next(of)
      order.push(of)
    }
  }
  const turn = async () => {
    planned.shift()?.()
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { body, turn, order, planned }
}

test('one turn of the event loop resumes one body only', async () => {
  const { body, turn, order, planned } = turnsOf()
  for (let n = 0; n < 20; n++) void body('loud', 1)
  expect(planned).toHaveLength(1)
  await turn()
  expect(order).toEqual(['loud'])
  expect(planned).toHaveLength(1)
})

test('a sender with many bodies does not come before one with a single body', async () => {
  const { body, turn, order } = turnsOf()
  for (let n = 0; n < 20; n++) void body('loud', 5)
  for (let n = 0; n < 10; n++) await turn()
  void body('quiet', 3)
  for (let n = 0; n < 8; n++) await turn()
  expect(order.slice(10).filter((of) => of === 'quiet')).toHaveLength(3)
})

test('nothing is planned while nobody waits', async () => {
  const { body, turn, order, planned } = turnsOf()
  void body('one', 2)
  for (let n = 0; n < 5; n++) await turn()
  expect([order, planned.length]).toEqual([['one', 'one'], 0])
})
