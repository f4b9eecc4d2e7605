import { expect, test } from 'bun:test'
import {
  type LiveBrowser,
  type LiveState,
  openLive,
  silenceMs,
} from '../../../../../core/web/kit/browser/live-source'
import type { EventStream } from '../../../../../core/web/kit/jsx/browser'

/** A browser with a clock of its own and streams that do what the test says. */
function world() {
  const sources: Fake[] = []
  class Fake implements EventStream {
    onopen: (() => void) | null = null
    onmessage: ((event: { readonly data: string }) => void) | null = null
    onerror: (() => void) | null = null
    readyState = 0
    alive = () => {}
    constructor() {
      sources.push(this)
    }
    addEventListener(_: string, heard: () => void) {
      this.alive = heard
    }
    close() {
      this.readyState = 2
    }
    open() {
      this.readyState = 1
      this.onopen?.()
    }
    /** 0: the browser tries again by itself. 2: it gave up. */
    fail(readyState: 0 | 2) {
      this.readyState = readyState
      this.onerror?.()
    }
  }
  let now = 0
  let ids = 0
  let timers: { id: number; at: number; work: () => void }[] = []
  const browser: LiveBrowser = {
    EventSource: Fake,
    setTimeout: (work, ms) => {
      const id = ++ids
      timers.push({ id, at: now + ms, work })
      return id
    },
    clearTimeout: (id) => {
      timers = timers.filter((timer) => timer.id !== id)
    },
  }
  const said: (LiveState | 'resumed' | `news ${string}`)[] = []
  const end = openLive(
    '/app/events/x',
    {
      state: (state) => said.push(state),
      message: (data) => said.push(`news ${data}`),
      resumed: () => said.push('resumed'),
    },
    browser,
  )
  return {
    sources,
    said,
    end,
    timers: () => timers.length,
    pass(ms: number) {
      const until = now + ms
      for (;;) {
        const [next] = timers.filter(({ at }) => at <= until).toSorted((a, b) => a.at - b.at)
        if (!next) break
        timers = timers.filter(({ id }) => id !== next.id)
        now = next.at
        next.work()
      }
      now = until
    },
    last: () => sources.at(-1) as Fake,
  }
}

test('a stream that ends in order and comes back at once is not said to be lost, and its data is fetched again', () => {
  const { said, last, pass } = world()
  last().open()
  last().fail(0)
  pass(4_000)
  last().open()
  pass(10_000)
  expect(said).toEqual(['live', 'live', 'resumed'])
})

test('a stream that does not come back is lost after 5 s, once, and live when it is open again', () => {
  const { said, last, pass } = world()
  last().open()
  for (let time = 0; time < 5; time++) {
    last().fail(0)
    pass(2_000)
  }
  expect(said).toEqual(['live', 'lost'])
  last().open()
  expect(said).toEqual(['live', 'lost', 'live', 'resumed'])
})

test('a connection that died without a word is noticed by its silence, and opened again', () => {
  const { said, sources, last, pass } = world()
  last().open()
  for (let time = 0; time < 10; time++) {
    pass(10_000)
    last().alive()
  }
  expect([said, sources.length]).toEqual([['live'], 1])
  pass(silenceMs - 1)
  expect(said).toEqual(['live'])
  pass(1)
  expect([said, sources[0]?.readyState]).toEqual([['live', 'lost'], 2])
  pass(2_000)
  expect(sources.length).toBe(2)
  last().open()
  expect(said).toEqual(['live', 'lost', 'live', 'resumed'])
})

test('a browser that gave up is asked to try again, ever more seldom, and at least every 30 s', () => {
  const { said, sources, last, pass } = world()
  const waits: number[] = []
  for (let time = 0; time < 7; time++) {
    last().fail(2)
    const many = sources.length
    let waited = 0
    while (sources.length === many) {
      pass(1_000)
      waited += 1_000
    }
    waits.push(waited)
  }
  expect(waits).toEqual([2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000])
  expect(said).toEqual(['lost'])
})

test('news are passed on, and nothing runs after the end', () => {
  const { said, end, last, pass, sources, timers } = world()
  last().open()
  last().onmessage?.({ data: '1' })
  last().fail(2)
  end()
  pass(120_000)
  expect([said, sources.length, timers()]).toEqual([['live', 'news 1'], 1, 0])
})
