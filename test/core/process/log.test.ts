import { describe, expect, test } from 'bun:test'
import { createLog } from '../../../core/process/log'

function logged() {
  const lines: Record<string, unknown>[] = []
  const clock = { at: Date.parse('2026-11-22T12:00:00Z') }
  const log = createLog(
    'debug',
    (line) => void lines.push(JSON.parse(line)),
    () => new Date(clock.at),
  )
  return { lines, clock, log }
}

describe('the log', () => {
  test('writes one message at most 100 times a minute, then says how many it left out', () => {
    const { lines, clock, log } = logged()
    for (let n = 0; n < 10_000; n++) log.warn('A stranger asked', { n })
    log.warn('Something else')
    expect(lines.length).toBe(101)
    clock.at += 60_001
    log.warn('A stranger asked', { n: 'later' })
    log.warn('A stranger asked', { n: 'later' })
    expect(lines.slice(101)).toMatchObject([{ n: 'later', suppressed: 9_900 }, { n: 'later' }])
    expect(lines.at(-1)).not.toHaveProperty('suppressed')
  })

  test('writes every line of debug, which somebody asked for', () => {
    const { lines, log } = logged()
    for (let n = 0; n < 500; n++) log.debug('answered', { n })
    expect(lines.length).toBe(500)
  })

  test('has a line for fields of any kind and name, and each name once', () => {
    const lines: string[] = []
    const now = () => new Date('2026-11-22T12:00:00Z')
    const log = createLog('info', (line) => void lines.push(line), now)
    const circle: Record<string, unknown> = { n: 12n }
    circle.self = circle
    log.info('100 %s of %d', { circle, level: 'error', time: 1, message: 'x', gone: undefined })
    log.warn('Token rnw_key_abcdefghij0123456789', { path: '/rnw_code_abcdefghij0123456789' })
    log.debug('not asked for')
    expect(lines).toEqual([
      '{"level":"info","time":"2026-11-22T12:00:00.000Z","circle":{"n":12,"self":"[Circular]"},"level_":"error","time_":1,"message_":"x","message":"100 %s of %d"}',
      '{"level":"warn","time":"2026-11-22T12:00:00.000Z","path":"/rnw_code_…","message":"Token rnw_key_…"}',
    ])
  })
})
