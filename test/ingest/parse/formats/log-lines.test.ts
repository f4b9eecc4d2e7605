import { expect, test } from 'bun:test'
import { siblings } from '../../support/log-siblings'
import { type LineCase, runCases } from '../../support/run-cases'
import cases from './log-lines.json'

const given = cases.cases as unknown as readonly LineCase[]

test.each([
  ['servers, networks and collectors', given],
  ['other versions and senders of the same kinds', siblings],
] as const)('lines as %s write them are counted as they are', async (_, lines) => {
  const results = await runCases(lines)
  const wrong = results.flatMap(({ outcome, rows, reasons }, at) =>
    outcome === 'right' ? [] : [[outcome, lines[at]?.format, lines[at]?.note, rows, reasons]],
  )
  expect(wrong).toEqual([])
})
