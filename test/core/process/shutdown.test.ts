import { expect, test } from 'bun:test'
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
