import { describe, expect, spyOn, test } from 'bun:test'
import { createFrameBuilder } from '../../../ingest/journal/frame-builder'
import { frameHeaderBytes, type JournalHit, readSegment } from '../../../ingest/journal/segment'
import { countedHit } from '../../support/counted-hit'

/** What is read of a frame with these hits, in order. */
function readBack(hits: readonly JournalHit[], builder = createFrameBuilder()) {
  for (const hit of hits) builder.addHit(hit)
  return readSegment(Uint8Array.from(builder.take())).frames.flatMap((frame) => frame.hits)
}

const one = countedHit({ path: '/', ts: 1_795_200_000_000 })
const others: Readonly<Partial<JournalHit>>[] = [
  { agent: 'GPTBou' },
  { verdict: 'spoofed' },
  { site_id: 'sit_other' },
  { date: '2026-11-21' },
  { kind: 'visit' },
  { category: 'other' },
  { operator: 'Other' },
  { path: '/b' },
  { ts: 5 },
  { status: 200 },
  { status: 404 },
] as never

test.each(others)('hits that differ in one field alone stay different: %j', (changes) => {
  const other = { ...one, ...changes }
  const far = countedHit({ ...one, agent: 'ClaudeBot', site_id: 'sit_far' })
  for (const hits of [
    [one, other, one],
    [one, far, other, far, one, other],
    [one, other, far, { ...other, path: '/c' }],
  ])
    expect(readBack(hits)).toEqual(hits)
})

test('a frame holds fields of three bytes a character at every size around that of its buffer', () => {
  // The buffer has 64 KiB. Fields that end near its end must still be whole.
  for (let length = 21_820; length < 21_850; length++) {
    const hits = [countedHit({ ...one, operator: '€'.repeat(length) })]
    expect(readBack(hits)[0]?.operator.length).toBe(length)
    const path = `/${'€'.repeat(length)}`
    expect(readBack([{ ...one, path }])[0]?.path).toBe(path)
  }
})

test('a builder begins anew after each frame, however large that was', () => {
  const builder = createFrameBuilder()
  for (const length of [1, 2_000_000, 1, 30_000, 1]) {
    expect(builder.isEmpty()).toBe(true)
    const hits = [one, { ...one, path: `/${'x'.repeat(length)}` }]
    expect(readBack(hits, builder)).toEqual(hits)
    expect([builder.isEmpty(), builder.hits()]).toEqual([true, 0])
  }
})

/** What stands behind the header of a frame. */
const textOf = (frame: Uint8Array) => Buffer.from(frame.subarray(frameHeaderBytes)).toString()

test('a frame is written with each head and each repeated time once, and an id where there is one', () => {
  const builder = createFrameBuilder()
  builder.addHit({ ...one, ts: 36, path: '/a\tb' })
  builder.addHit({ ...one, ts: 36, id: 35 })
  builder.addHit({ ...one, ts: 37, agent: 'ClaudeBot' })
  builder.addBatch({ id: 'batch', accepted: 3, ignored: 4, rejected: 5, duplicate: 6, at: 7 })
  builder.addHit({ ...one, ts: 37 })
  const head = (agent: string) =>
    ['d', one.kind, one.site_id, one.date, agent, one.category, one.operator, one.verdict].join('\t')
  expect(builder.hits()).toBe(4)
  expect(textOf(builder.take()).split('\n')).toEqual([
    head(one.agent),
    '0\t10\t/a\\tb',
    '0\t\t/\tz',
    head('ClaudeBot'),
    '1\t11\t/',
    'b\tbatch\t3\t4\t5\t6\t7',
    '0\t\t/',
    '',
  ])
  builder.addHit({ ...one, ts: 37 })
  expect(textOf(builder.take())).toBe(`${head(one.agent)}\n0\t11\t/\n`)
})

test('however hits alternate, each head is written once and found by its site and day', () => {
  const either = <Key extends keyof JournalHit>(key: Key, a: JournalHit[Key], b: JournalHit[Key]) =>
    [{ [key]: a }, { [key]: b }] as Partial<JournalHit>[]
  let all: Partial<JournalHit>[] = [{}]
  for (const pair of [
    either('site_id', 'sit_a', 'sit_b'),
    either('date', '2026-11-20', '2026-11-21'),
    either('kind', 'crawl', 'visit'),
    either('category', 'training', 'other_ai'),
    either('operator', 'A', 'B'),
  ])
    all = all.flatMap((each) => pair.map((more) => ({ ...each, ...more })))
  const builder = createFrameBuilder()
  for (let round = 0; round < 3; round++) for (const each of all) builder.addHit({ ...one, ...each })
  expect(textOf(builder.take()).match(/^d\t/gm)).toHaveLength(32)
})

test('a head that was used a moment ago is found without a search', () => {
  const builder = createFrameBuilder()
  const a = one
  const b = { ...one, site_id: 'sit_b' }
  const c = { ...one, agent: 'Claude' }
  for (const each of [a, b, c]) builder.addHit(each)
  const searches = spyOn(Map.prototype, 'get')
  const searchesFor = (hits: readonly JournalHit[]) => {
    const before = searches.mock.calls.length
    for (const each of hits) builder.addHit(each)
    return searches.mock.calls.length - before
  }
  try {
    const none = searchesFor([b, c, b, c])
    const some = searchesFor([a])
    const found = searchesFor([a, c, a])
    expect([none, some, found]).toEqual([0, 2, 0])
  } finally {
    searches.mockRestore()
  }
})

test('a frame stays as it is until the next one is taken', () => {
  const builder = createFrameBuilder()
  let last: Uint8Array | undefined
  let wanted = ''
  for (let round = 0; round < 5; round++) {
    builder.addHit({ ...one, path: `/${round}` })
    if (last) expect(textOf(last)).toBe(wanted)
    last = builder.take()
    wanted = textOf(last)
    expect(wanted).toContain(`\t/${round}\n`)
  }
})

describe('the buffer of a frame', () => {
  const start = 64 * 1024
  const sizeOf = (frame: Uint8Array) => frame.buffer.byteLength
  const afterHit = frameHeaderBytes + 'd\tcrawl\tsit_1\t2026-11-20\t\ttraining\tOpenAI\tunchecked\n'.length

  /** The size of the buffer of a frame with these hits. */
  function sizeWith(...hits: readonly JournalHit[]) {
    const builder = createFrameBuilder()
    for (const hit of hits) builder.addHit(hit)
    return sizeOf(builder.take())
  }

  test.each(['a', 'aa', 'aaa'])('doubles where a hit could need more than is left, %s', (agent) => {
    // Three bytes for each character of the path, and 104 for the rest.
    const most = Math.floor((start - afterHit - agent.length - 104) / 3)
    expect(sizeWith({ ...one, agent, path: 'x'.repeat(most) })).toBe(start)
    expect(sizeWith({ ...one, agent, path: 'x'.repeat(most + 1) })).toBe(2 * start)
  })

  test.each(['a', 'aa', 'aaa'])('doubles where a head could need more than is left, %s', (agent) => {
    // Three bytes for each character, and one behind each of eight fields.
    const end = afterHit + agent.length + '0\t0\t\n'.length
    const others = 'd'.length + one.kind.length + one.site_id.length + one.date.length + agent.length
    const most = Math.floor((start - end - 8) / 3) - others - one.category.length - one.verdict.length
    const withHead = (length: number) =>
      sizeWith({ ...one, agent, ts: 0, path: '' }, { ...one, agent, path: '', operator: 'x'.repeat(length) })
    expect(withHead(most)).toBe(start)
    expect(withHead(most + 1)).toBe(2 * start)
  })

  test('grows to what a single field may need', () => {
    expect(sizeWith({ ...one, agent: 'a', path: 'x'.repeat(100_000) })).toBe(afterHit + 1 + 300_000 + 104)
  })

  test('is used again up to one MiB, and given back above', () => {
    for (const [size, kept] of [
      [2 ** 19, 2 ** 19],
      [2 ** 20, 2 ** 20],
      [2 ** 21, start],
    ] as const) {
      const builder = createFrameBuilder()
      const frames = [size - start, 1, 1, 1].map((bytes) => {
        for (let left = bytes; left > 0; left -= 4_000) builder.addHit({ ...one, path: 'x'.repeat(4_000) })
        return sizeOf(builder.take())
      })
      expect(frames).toEqual([size, start, kept, start])
    }
  })
})
