import { expect, test } from 'bun:test'
import { Refusal, requireRow } from 'renown'

const rows = { get: async (id: string) => (id === 'lead_1' ? { id, name: 'Ada' } : null) }

test('a row that exists is returned', async () => {
  expect(await requireRow(rows, 'lead', 'lead_1')).toEqual({ id: 'lead_1', name: 'Ada' })
})

test('a row that is missing is refused with its noun, its id and the hint', async () => {
  const refusalOf = (hint?: string) =>
    requireRow(rows, 'lead', 'lead_2', hint).then(
      () => null,
      (error: unknown) => error,
    )
  const plain = await refusalOf()
  expect(plain).toBeInstanceOf(Refusal)
  expect(plain).toMatchObject({ code: 'not_found', message: 'There is no lead lead_2.' })
  expect(await refusalOf('`lead list` shows the ids.')).toMatchObject({
    code: 'not_found',
    message: 'There is no lead lead_2.',
    details: { hint: '`lead list` shows the ids.' },
  })
})
