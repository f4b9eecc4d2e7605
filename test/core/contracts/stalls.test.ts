import { expect, test } from 'bun:test'
import { createStallWatch, metricsText, type StallWatchOptions } from 'renown/contracts'
import { stallCheck } from '../../../core/product/checks/stall-check'
import { quietLog } from '../../support/quiet-log'
import { turns, waitFor } from '../../support/wait-for'

/** A watch whose timer and clock are in our hands. */
function watched(more: Partial<StallWatchOptions> = {}) {
  let at = 1_000
  let call = () => {}
  const logged: Record<string, unknown>[] = []
  const watch = createStallWatch({
    part: 'gateway',
    now: () => new Date(at),
    elapsed: () => at,
    log: { ...quietLog, warn: (_message, fields = {}) => void logged.push(fields) },
    every(_ms, next) {
      call = next
      return () => {
        call = () => {}
      }
    },
    ...more,
  })
  watch.start()
  const after = (ms: number) => {
    at += ms
    call()
  }
  return { watch, after, logged }
}

test('a timer that comes late by more than 200 ms is a stall; one that comes in time is none', () => {
  const { watch, after } = watched()
  for (const ms of [25, 30, 224, 225]) after(ms)
  expect(watch.read()).toEqual({ count: 0, longest_ms: 0, last_at: null })
  for (const ms of [226, 5_025, 1_025]) after(ms)
  expect(watch.read()).toMatchObject({ count: 3, longest_ms: 5_000, last_at: expect.any(String) })
  const text = metricsText(watch.metrics())
  for (const line of [
    'renown_gateway_stall_seconds_bucket{le="0.25"} 1',
    'renown_gateway_stall_seconds_bucket{le="1"} 2',
    'renown_gateway_stall_seconds_bucket{le="+Inf"} 3',
    'renown_gateway_stall_seconds_count 3',
    'renown_gateway_stall_longest_seconds 5',
  ])
    expect(text).toContain(`${line}\n`)
  watch.stop()
  after(9_000)
  expect(watch.read().count).toBe(3)
})

test('stalls are logged at most once a minute, and none is left out of the next line', () => {
  const { after, logged } = watched()
  for (let n = 0; n < 10; n++) after(1_025)
  expect(logged).toEqual([{ times: 1, longest_ms: 1_000 }])
  after(60_025)
  expect(logged).toHaveLength(2)
  expect(logged[1]).toEqual({ times: 10, longest_ms: 60_000 })
})

test('the event loop of this very process is measured', async () => {
  const watch = createStallWatch({ part: 'ingest', now: () => new Date(), log: quietLog })
  watch.start()
  await turns(2)
  Bun.sleepSync(400)
  await waitFor(() => watch.read().count > 0, { what: 'the stall to be seen' })
  expect(watch.read().longest_ms).toBeGreaterThan(200)
  watch.stop()
})

test('the doctor warns for an hour, naming the process, and says what to do', () => {
  const now = new Date('2026-11-22T12:00:00Z')
  const calm = { count: 0, longest_ms: 0, last_at: null }
  expect(stallCheck({ gateway: calm, ingest: calm }, now)).toMatchObject({ status: 'ok' })
  const gateway = { count: 2, longest_ms: 900, last_at: '2026-11-22T11:30:00.000Z' }
  expect(stallCheck({ gateway, ingest: calm }, now)).toEqual({
    status: 'warn',
    found: 'was blocked: the gateway 2 times, 900 ms at most, last at 2026-11-22T11:30:00.000Z',
    mend: expect.stringContaining('Check the log'),
  })
  const old = { ...gateway, last_at: '2026-11-22T10:30:00.000Z' }
  expect(stallCheck({ gateway: old, ingest: calm }, now)).toMatchObject({ status: 'ok' })
})
