import { expect, spyOn, test } from 'bun:test'
import { createShutdown } from '../../../core/process/shutdown'
import { quietLog } from '../../support/quiet-log'
import { passTime } from '../../support/wait-for'

test('what was opened first is closed last; failing and hanging steps hold up nothing', async () => {
  const closed: string[] = []
  const shutdown = createShutdown(quietLog, 150)
  shutdown.add('first', () => closed.push('first'))
  shutdown.add('hangs', () => new Promise(() => {}))
  shutdown.add('fails', () => {
    throw new Error('broken')
  })
  shutdown.add('last', async () => {
    await passTime(10)
    closed.push('last')
  })
  await Promise.all([shutdown.run(), shutdown.run()])
  expect(closed).toEqual(['last', 'first'])
})

test('each step may take what is left of the time, and 50 ms at least', async () => {
  const waited: number[] = []
  const sleep = spyOn(Bun, 'sleep').mockImplementation(async (ms) => void waited.push(Number(ms)))
  const late: unknown[] = []
  const log = { ...quietLog, warn: (_: string, fields?: object) => void late.push(fields) }
  try {
    for (const budgetMs of [10_000, 0]) {
      const shutdown = createShutdown(log, budgetMs)
      shutdown.add('hangs', () => new Promise(() => {}))
      shutdown.add('quick', () => {})
      await shutdown.run()
    }
  } finally {
    sleep.mockRestore()
  }
  expect(waited).toHaveLength(4)
  for (const ms of waited.slice(0, 2)) expect(ms).toBeWithin(5_000, 10_001)
  expect(waited.slice(2)).toEqual([50, 50])
  expect(late).toContainEqual({ step: 'hangs' })
})
