import { expect, test } from 'bun:test'
import type { ActFailure, OnceAct } from '../../../../core/kit/attempts/act'
import type { Attempt } from '../../../../core/kit/attempts/attempt'
import { giveUp } from '../../../../core/kit/attempts/settle'

/** What a step records of an attempt that it gives up, in order. */
async function givenUp(seen: Pick<Attempt, 'evidence' | 'external_url'>) {
  const done: (ActFailure | Partial<Attempt>)[] = []
  const act = {
    failed: async (failure: ActFailure) => void done.push(failure),
    rows: {
      update: async (_: string, changes: Partial<Attempt>) => {
        done.push(changes)
        return null
      },
    },
  } as unknown as OnceAct<Attempt>
  await giveUp(act, { id: 'att_1', ...seen } as Attempt)
  return done
}
const message = 'Renown sent it and cannot find out whether it arrived.'

test.each([
  ['nothing', {}, message],
  ['its answer', { evidence: '504' }, `${message} The last answer: 504`],
  ['an address', { external_url: 'https://far.test/1' }, `${message} It may be this one: https://far.test/1`],
  [
    'both',
    { evidence: '504', external_url: 'https://far.test/1' },
    `${message} It may be this one: https://far.test/1 The last answer: 504`,
  ],
])('an attempt of which %s is known is given up with these words, and then ends', async (_, seen, words) => {
  expect(await givenUp(seen)).toEqual([{ kind: 'unknown_outcome', message: words }, { is_open: false }])
})
