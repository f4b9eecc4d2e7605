import { describe, expect, test } from 'bun:test'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { dayMs } from 'renown/contracts'
import { createListDoubts, type ListDoubts } from '../../../ingest/judge/list-doubt'
import { storedDoubts } from '../../../ingest/judge/stored-doubts'
import { silentLog } from '../support/journal'

const start = Date.UTC(2026, 10, 20)
const minute = 60_000
/** Records hits of one operator, one after the other. */
function notes(
  doubts: Pick<ListDoubts, 'of'> & { note(operator: string, isInside: boolean, at: number): unknown },
) {
  const clock = { at: start }
  const hits = (count: number, isInside: boolean, everyMs: number) => {
    for (let n = 0; n < count; n++) {
      doubts.note('OpenAI', isInside, clock.at)
      clock.at += everyMs
    }
    return doubts.of('OpenAI') !== null
  }
  return { clock, hits }
}

describe('the list of an operator', () => {
  test('is in doubt as soon as most of its hits come from elsewhere, after most did not', () => {
    const doubts = createListDoubts()
    const { hits } = notes(doubts)
    expect(hits(200, true, 10 * minute)).toBe(false)
    expect(hits(5, false, 1_000)).toBe(false)
    expect(hits(1, false, 1_000)).toBe(true)
    expect(doubts.of('OpenAI')).toEqual({
      since: expect.any(String),
      about: 'addresses',
      why: expect.stringContaining('6 of 6 hits of OpenAI came from addresses outside its list'),
    })
    expect(doubts.of('Anthropic')).toBeNull()
  })

  test('is in doubt at once however many fakes came before, now and then', () => {
    const { hits } = notes(createListDoubts())
    for (let n = 0; n < 100; n++) {
      hits(20, true, minute)
      expect(hits(2, false, minute)).toBe(false)
    }
    hits(20, true, minute)
    expect(hits(6, false, 1_000)).toBe(true)
  })

  test('is not in doubt where most hits never came from it, or only a few were seen', () => {
    expect(notes(createListDoubts()).hits(1_000, false, minute)).toBe(false)
    const few = notes(createListDoubts())
    few.hits(9, true, minute)
    expect(few.hits(100, false, minute)).toBe(false)
  })

  test('stays in doubt while its crawlers come from elsewhere, and a few hits do not end it', () => {
    const { hits } = notes(createListDoubts())
    hits(500, true, 10 * minute)
    expect(hits(3_000, false, 10 * minute)).toBe(true)
    expect(hits(3, true, minute)).toBe(true)
  })

  test('is right again when its crawlers come as before, and others are then fakes for a day', () => {
    const { hits, clock } = notes(createListDoubts())
    hits(500, true, 10 * minute)
    expect(hits(300, false, 1_000)).toBe(true)
    // Within the hour, nothing is proven.
    expect(hits(4, true, 10 * minute)).toBe(true)
    clock.at += 20 * minute
    expect(hits(6, true, 10 * minute)).toBe(false)
    expect(hits(500, false, 1_000)).toBe(false)
    clock.at += dayMs
    hits(100, true, 10 * minute)
    expect(hits(6, false, 1_000)).toBe(true)
  })

  test('is no longer in doubt when other addresses were published, and can be again', () => {
    const doubts = createListDoubts()
    const { hits } = notes(doubts)
    hits(100, true, 10 * minute)
    hits(20, false, 1_000)
    doubts.renewed('OpenAI')
    doubts.renewed('Nobody')
    expect(doubts.of('OpenAI')).toBeNull()
    expect(hits(5, false, 1_000)).toBe(false)
    expect(hits(1, false, 1_000)).toBe(true)
  })

  test('is judged as before after a restart, and from the start where the file cannot be read', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'renown-doubts-'))
    let began = 0
    const open = () => storedDoubts({ directory, log: silentLog, onDoubt: () => began++ })
    const first = open()
    for (let n = 0; n < 20; n++)
      expect(first.judge('verified', 'OpenAI', start + n, start + n * minute)).toBe('verified')
    const at = start + dayMs
    const verdicts = Array.from({ length: 10 }, () => first.judge('spoofed', 'OpenAI', at, at))
    expect(verdicts.map((one) => one === 'spoofed').lastIndexOf(true)).toBe(4)
    expect(first.judge('unchecked', 'OpenAI', at, at)).toBe('unchecked')
    expect(began).toBe(1)
    const second = open()
    expect(second.of('OpenAI')?.since).toBe(first.of('OpenAI')?.since as string)
    second.renewed('OpenAI')
    expect(open().of('OpenAI')).toBeNull()
    await Bun.write(join(directory, 'doubts.json'), '{"OpenAI":3}')
    expect(open().has('OpenAI')).toBe(false)
  })
})
