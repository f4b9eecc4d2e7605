import { expect, test } from 'bun:test'
import { examinedMax, readNarrow } from '../../../core/contexts/breadth'
import { createSources, type Sources } from '../../../core/contexts/sources'
import { TimedOutError } from '../../../core/work/scope'
import { Note } from '../../support/notes-plugin'
import { part } from '../../support/part'

const seen = { entity: Note, view: { ...Note, hidden: ['secret', 'stage'] } }
const reading = (examined: (query: unknown, max: number) => Promise<number>) =>
  ({ reader: () => ({ examined }), narrowing: () => ['title', 'stage', 'score'] }) as unknown as Sources
const read = (examined: number, run = async () => 'rows') =>
  readNarrow(
    reading(async () => examined),
    seen,
    part({}),
    run,
  ).catch((error) => error)

test('a filter is read where it examines at most 100,000 rows, and asked for one more', async () => {
  expect(examinedMax).toBe(100_000)
  expect(await read(100_000)).toBe('rows')
  const asked: unknown[] = []
  const query = { where: 1 } as never
  await readNarrow(
    reading(async (...all) => {
      asked.push(...all)
      return 0
    }),
    seen,
    query,
    async () => 'rows',
  )
  expect(asked).toEqual([query, 100_001])
})

test('a broader one is refused with visible fields that narrow it, and nothing is read', async () => {
  let reads = 0
  const refused = await read(100_001, async () => `${reads++}`)
  expect(reads).toBe(0)
  expect(refused.message).toBe('The filter would examine more than 100,000 rows. Narrow it by title, score.')
  expect(refused.details.errors).toEqual([
    {
      parameter: 'q',
      code: 'filter_too_broad',
      message: 'would examine more than 100,000 rows',
      allowed: ['title', 'score'],
    },
  ])
})

test('a broad read that takes too long is refused; one that waited too long, and every other fault, stays what it is', async () => {
  const thrown = (error: Error) => read(10_001, () => Promise.reject(error))
  expect(await thrown(new TimedOutError(true))).toMatchObject({
    code: 'filter_too_broad',
    message: 'The filter takes longer to read than a request is allowed. Narrow it by title, score.',
  })
  const waited = new TimedOutError(false)
  expect(await thrown(waited)).toBe(waited)
  const other = new Error('other')
  expect(await thrown(other)).toBe(other)
})

test('a read of few rows that takes too long is the fault of a slow store', async () => {
  const late = new TimedOutError(true)
  for (const examined of [0, 1, 10_000]) expect(await read(examined, () => Promise.reject(late))).toBe(late)
  const never = readNarrow(
    reading(() => Promise.reject(late)),
    seen,
    part({}),
    async () => 'rows',
  )
  expect(await never.catch((error) => error)).toBe(late)
})

test('what narrows a filter over documents is the id, then the fields that begin an index', () => {
  const { narrowing, collection } = createSources(part({}), part({}))
  expect(narrowing(Note)).toEqual(['id', 'created_date', 'stage', 'slug'])
  expect(() => collection({ ...Note, store: 'columns' })).toThrow('Note is stored in columns')
})
