import { expect, test } from 'bun:test'
import cases from './log-lines.json'
import { type LineCase, runCases } from './run-cases'

test('lines as servers, networks and collectors write them are counted as they are', async () => {
  const lines = cases.cases as unknown as LineCase[]
  const results = await runCases(lines)
  const wrong = results.flatMap(({ outcome, rows, reasons }, at) =>
    outcome === 'right' ? [] : [[outcome, lines[at]?.format, lines[at]?.note, rows, reasons]],
  )
  expect(wrong).toEqual([])
})
