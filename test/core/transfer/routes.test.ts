import { describe, expect, test } from 'bun:test'
import type { Transfer } from '../../../core/transfer'
import { transferRoutes } from '../../../core/transfer/routes'

const header = {
  renown_export: 1,
  version: '1.0.0',
  made_at: '2026-11-28T12:00:00.000Z',
  documents: 'sqlite',
  columns: 'chdb',
  migrations: [],
  parts: ['Note'],
}

/** What a call of a route hands to the transfer, and what it answers. */
async function sent(name: string, body: string, query = '') {
  const asked: unknown[] = []
  const noting =
    (what: string) =>
    async (...given: unknown[]) => {
      asked.push([what, ...given])
      return { of: what }
    }
  const names = ['begin', 'page', 'receive', 'take', 'finish', 'backup'] as const
  const transfer = Object.fromEntries(names.map((one) => [one, noting(one)])) as unknown as Transfer
  const url = new URL(`http://here${name.split(' ')[1]}${query}`)
  const answer = await transferRoutes(transfer)[name]?.(new Request(url.href, { method: 'POST', body }), url)
  return { asked, answer: answer as unknown }
}

describe('a route of export and import', () => {
  test('begins, pages, ends and backs up with what it was sent', async () => {
    expect(await sent('POST /data/begin', '')).toEqual({ asked: [['begin']], answer: { of: 'begin' } })
    expect(await sent('POST /data/page', '{"part":"Note","after":["n1"]}')).toEqual({
      asked: [['page', 'Note', ['n1']]],
      answer: { of: 'page' },
    })
    expect(await sent('POST /data/page', '{"part":"Note","after":null}')).toMatchObject({
      asked: [['page', 'Note', null]],
    })
    expect(await sent('POST /data/finish', '')).toEqual({ asked: [['finish']], answer: {} })
    expect(await sent('POST /data/backup', '{"folder":"/a","keep":7}')).toEqual({
      asked: [['backup', '/a', 7]],
      answer: { of: 'backup' },
    })
  })

  test('takes lines by the number of the first, and merges only where it is told so', async () => {
    for (const [query, line, isMerge] of [
      ['?line=7&merge=true', 7, true],
      ['?line=1&merge=false', 1, false],
      ['?line=1&merge=', 1, false],
      ['?line=1', 1, false],
    ] as const)
      expect((await sent('POST /data/take', 'a\nb', query)).asked).toEqual([['take', 'a\nb', line, isMerge]])
    const text = JSON.stringify(header)
    expect(await sent('POST /data/receive', text)).toEqual({
      asked: [['receive', header, false]],
      answer: {},
    })
    expect((await sent('POST /data/receive', text, '?merge=true')).asked).toEqual([['receive', header, true]])
  })

  test.each(['{}', '[]', 'null', '"x"', JSON.stringify({ ...header, parts: null })])(
    'refuses %s, which begins no export',
    async (body) => {
      await expect(sent('POST /data/receive', body)).rejects.toMatchObject({
        code: 'conflict',
        message: expect.stringContaining('not the start of an export'),
      })
    },
  )
})
