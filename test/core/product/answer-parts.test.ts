import { describe, expect, test } from 'bun:test'
import { type AnswerPart, inParts, partsType } from '../../../core/product/answer-parts'
import { turns } from '../../support/wait-for'

const partsOf = async (response: Response): Promise<AnswerPart[]> =>
  (await response.text())
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))

describe('an answer on the command socket', () => {
  test('that comes at once is sent as it is', async () => {
    const answer = await inParts(
      async () => Response.json({ ok: true }),
      () => undefined,
    )
    expect(answer.headers.get('content-type')).toContain('application/json')
    expect(await answer.json()).toEqual({ ok: true })
  })

  test('that is slow says before that it goes on and what it does, and ends with status and body', async () => {
    const { promise, resolve } = Promise.withResolvers<Response>()
    const answer = await inParts(
      () => promise,
      () => 'reading',
    )
    expect(answer.headers.get('content-type')).toBe(partsType)
    const parts = partsOf(answer)
    setTimeout(() => resolve(Response.json({ code: 'conflict' }, { status: 409 })), 400)
    const all = await parts
    expect(all[0]).toEqual({ working: { doing: 'reading' } })
    expect(all.at(-1)).toEqual({ status: 409, body: { code: 'conflict' } })
    expect(all.filter((one) => 'status' in one)).toHaveLength(1)
  })

  test('keeps what was told on the way, in its order', async () => {
    const answer = await inParts(
      async (tell) => {
        for (const out of ['one', 'two']) tell({ out })
        await turns(1)
        tell({ err: 'three' })
        return Response.json({ code: 0 })
      },
      () => undefined,
    )
    const said = (await partsOf(answer)).filter((one) => !('working' in one))
    expect(said).toEqual([
      { out: 'one' },
      { out: 'two' },
      { err: 'three' },
      { status: 200, body: { code: 0 } },
    ])
  })
})
