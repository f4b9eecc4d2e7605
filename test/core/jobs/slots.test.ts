import { expect, test } from 'bun:test'
import * as v from 'valibot'
import { createJobSlots } from '../../../core/jobs/slots'

const queue = (atOnce?: number) => ({
  summary: 'for the test',
  payload: v.strictObject({}),
  run: async () => {},
  ...(atOnce === undefined ? {} : { atOnce }),
})
const queues = new Map([
  ['mail', queue(2)],
  ['read', queue()],
])

test('queues that run nothing are looked at together', () => {
  expect(createJobSlots(queues).looks()).toEqual([{ queues: ['mail', 'read'], without: [] }])
})

test('tenants that run fewer jobs come first, and those with all their slots are left out', () => {
  const slots = createJobSlots(queues)
  slots.enter('mail', 'a')
  slots.enter('mail', 'a')
  const leave = slots.enter('mail', 'b')
  expect(slots.looks()).toEqual([
    { queues: ['read'], without: [] },
    { queues: ['mail'], without: ['a', 'b'] },
    { queues: ['mail'], without: ['a'] },
  ])
  leave()
  expect(slots.looks()).toEqual([
    { queues: ['read'], without: [] },
    { queues: ['mail'], without: ['a'] },
  ])
})

test('a process runs eight times as many jobs of a queue as one agency may, and no more', () => {
  const slots = createJobSlots(queues)
  const leave = Array.from({ length: 8 }, (_, n) => slots.enter('read', `tenant ${n}`))
  expect(slots.looks()).toEqual([{ queues: ['mail'], without: [] }])
  leave[3]?.()
  const without = ['tenant 0', 'tenant 1', 'tenant 2', 'tenant 4', 'tenant 5', 'tenant 6', 'tenant 7']
  expect(slots.looks().at(-1)).toEqual({ queues: ['read'], without })
})
