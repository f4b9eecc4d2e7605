import { expect, test } from 'bun:test'
import { ServiceFault } from '../../../../core/contracts/service-fault'
import { goneStatement } from '../../../../plugins/reviews/sync/readReviews'

/** What becomes of asking a source for one missing review, and what is logged. */
async function asked(isGone?: (...given: unknown[]) => Promise<string | null>) {
  const logged: object[] = []
  const ctx = { log: { warn: (text: string, more: object) => void logged.push({ text, ...more }) } }
  const job = { source: { isGone }, location: { id: 'loc_1' } }
  const said = await goneStatement(ctx as never, job as never, 'r1', ['r2']).catch((error) => error)
  return { said, logged }
}

test('a source says that a review is gone, that it is not, or nothing at all', async () => {
  const given: unknown[] = []
  const says = (said: string | null) =>
    asked(async (_, ...rest) => {
      given.push(rest)
      return said
    })
  expect(await says('error 803')).toEqual({ said: 'error 803', logged: [] })
  expect(await says(null)).toEqual({ said: null, logged: [] })
  expect(given).toEqual([
    [{ id: 'loc_1' }, 'r1', ['r2']],
    [{ id: 'loc_1' }, 'r1', ['r2']],
  ])
  expect(await asked()).toEqual({ said: null, logged: [] })
})

test('an answer that cannot be read proves nothing and is logged, and every other fault ends the sync', async () => {
  const unreadable = new ServiceFault('transient', 'no JSON', { code: 'unreadable' })
  expect(await asked(() => Promise.reject(unreadable))).toEqual({
    said: null,
    logged: [
      {
        text: 'a missing review could not be looked up and is kept',
        location_id: 'loc_1',
        source_id: 'r1',
        error: 'no JSON',
      },
    ],
  })
  const away = new ServiceFault('transient', 'away', { code: 'http_503' })
  const bug = Object.assign(new TypeError('a bug'), { code: 'unreadable' })
  for (const error of [away, bug])
    expect(await asked(() => Promise.reject(error))).toEqual({ said: error, logged: [] })
})
