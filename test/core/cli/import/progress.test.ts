import { expect, test } from 'bun:test'
import { progressBar } from '../../../../core/cli/import/progress'
import type { Terminal } from '../../../../core/cli/print/terminal'

function bar(columns: number, errIsTerminal = true) {
  const drawn: string[] = []
  let now = 0
  const terminal: Terminal = {
    out: () => {},
    err: (text) => void drawn.push(Bun.stripANSI(text).replaceAll('\r', '')),
    outIsTerminal: false,
    errIsTerminal,
    columns,
  }
  return {
    drawn,
    bar: progressBar(terminal, () => now),
    at: (ms: number) => {
      now = ms
    },
  }
}
const at = (share: number | null, lines: number) => ({
  share,
  lines,
  note: '5 counted, 5 not AI, 0 unreadable',
})

test('the bar says share, pace, what is left and what was found', () => {
  const { drawn, bar: shown, at: clock } = bar(200)
  shown.show(at(0, 0))
  clock(10_000)
  shown.show(at(0.25, 1_000_000))
  expect(drawn.at(-1)).toBe(
    `${'█'.repeat(6)}${'░'.repeat(18)} 25 %  1,000,000 lines  100,000/s  30 s left  5 counted, 5 not AI, 0 unreadable`,
  )
})

test('it never wraps, whatever the width', () => {
  for (let columns = 20; columns < 130; columns++) {
    const { drawn, bar: shown, at: clock } = bar(columns)
    shown.show(at(0, 0))
    clock(5_000)
    shown.show(at(0.5, 123_456))
    for (const line of drawn) expect(line.length).toBeLessThan(columns)
  }
})

test('it is drawn ten times a second at most, and not at all where no terminal is', () => {
  const { drawn, bar: shown, at: clock } = bar(100)
  for (let ms = 0; ms < 1_000; ms++) {
    clock(ms)
    shown.show(at(null, ms))
  }
  expect(drawn.length).toBe(10)
  const quiet = bar(100, false)
  quiet.bar.show(at(0.5, 1))
  expect(quiet.drawn).toEqual([])
})
