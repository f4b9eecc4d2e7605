import { describe, expect, test } from 'bun:test'
import * as v from 'valibot'
import { operationCalls } from './support/operation-calls'
import { operationsPage, recordedAnswers, shortened } from './support/printed-operations'
import { shippedRegistry } from './support/shipped'

const { operations } = shippedRegistry()

describe('the reference shows one call and one answer of each operation (mend with `bun test/record-answers.ts`)', () => {
  test('and of no other', () => {
    expect(Object.keys(recordedAnswers).toSorted()).toEqual([...operations.keys()].toSorted())
    expect(Object.keys(operationCalls).toSorted()).toEqual([...operations.keys()].toSorted())
  })

  test.each([...operations])('%s: the call and the answer fit their schemas', (name, { input, output }) => {
    const known = recordedAnswers[name]
    expect(v.safeParse(input, known?.input).issues).toBeUndefined()
    expect(v.safeParse(output, known?.answer).issues).toBeUndefined()
    // An answer with a field that the schema does not have would show what callers do not get.
    expect(fieldsBeyond(known?.answer, v.parse(output, known?.answer))).toEqual([])
  })

  test('on a page with a command for each', () => {
    const page = operationsPage()
    for (const name of operations.keys()) {
      expect(page).toContain(`\n## ${name}\n`)
      expect(page).toContain(`curl "$RENOWN_URL/api/functions/${name}"`)
    }
  })

  test('shortened only as far as its schema allows', () => {
    const pair = v.object({ pair: v.pipe(v.array(v.number()), v.minLength(2)), text: v.string() })
    expect(shortened({ pair: [1, 2, 3], text: 'a'.repeat(200) }, pair)).toEqual({
      pair: [1, 2],
      text: `${'a'.repeat(160)}…`,
    })
  })
})

/** Returns the paths of a value that are missing in what its schema keeps. */
function fieldsBeyond(given: unknown, known: unknown, path = ''): string[] {
  if (typeof given !== 'object' || given === null) return []
  if (typeof known !== 'object' || known === null) return [path]
  return Object.entries(given).flatMap(([key, value]) =>
    key in known
      ? fieldsBeyond(value, (known as Readonly<Record<string, unknown>>)[key], `${path}/${key}`)
      : [`${path}/${key}`],
  )
}
