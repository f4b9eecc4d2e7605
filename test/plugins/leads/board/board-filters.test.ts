import { describe, expect, test } from 'bun:test'
import type { AnyList, PageContext } from '../../../../core/doors/pages'
import { readRequest } from '../../../../core/web/framework/lists/read-request'
import { type BoardFilters, boardFilters } from '../../../../plugins/leads/board/board-filters'
import { stageNames, stages } from '../../../../plugins/leads/records/stage-names'
import { part } from '../../../support/part'

const list = part<AnyList>({ filters: boardFilters, beside: { param: 'lead' } })
const read = async (query: string) => {
  const { asked, ignored } = await readRequest(part<PageContext>({}), new URLSearchParams(query), list)
  return { asked, ignored }
}
const nothing: BoardFilters = {
  stage: '',
  source: '',
  seen: '',
  days: '',
  due: '',
  archived: '',
  location: '',
  assigned: '',
}

describe('the filters of the board', () => {
  test('name every choice, in order, and read it as it is sent', async () => {
    const { stage, seen, days, source } = boardFilters
    expect<unknown>(stages.map((name) => [name, stageNames[name]])).toEqual([
      ['new', 'New'],
      ['contacted', 'Contacted'],
      ['qualified', 'Qualified'],
      ['won', 'Won'],
      ['lost', 'Lost'],
    ])
    expect<unknown>(stage.options).toEqual([['', 'Board'], ...stages.map((name) => [name, stageNames[name]])])
    expect<unknown>(seen.options).toEqual([
      ['no', 'Not seen'],
      ['yes', 'Seen'],
    ])
    expect<unknown>(days.options).toEqual([
      ['1', 'Last 24 hours'],
      ['7', 'Last 7 days'],
      ['30', 'Last 30 days'],
      ['90', 'Last 90 days'],
      ['365', 'Last 365 days'],
    ])
    const all = { stage, seen, days, source }
    for (const [name, { options }] of Object.entries(all))
      for (const [value] of options)
        expect(await read(`${name}=${value}`)).toEqual({ asked: { ...nothing, [name]: value }, ignored: [] })
  })

  test.each([
    ['stage', 'gone', 'Use new, contacted, qualified, won, lost.'],
    ['seen', 'maybe', 'Use no or yes.'],
    ['days', '2', 'Use 1, 7, 30, 90, 365.'],
    ['due', '0', 'Use 1.'],
    ['archived', 'yes', 'Use 1.'],
    ['location', 'x'.repeat(101), 'Use the id of a location.'],
    ['lead', 'x'.repeat(101), 'Use the id of a lead.'],
    ['after', 'x'.repeat(201), 'Use the link below the list.'],
  ])('tell that %s is not %j, and leave it out', async (name, value, accepted) => {
    expect(await read(`${name}=${value}`)).toEqual({
      asked: nothing,
      ignored: [{ name, value: value.slice(0, 100), accepted }],
    })
    if (value.length > 100) expect((await read(`${name}=${value.slice(1)}`)).ignored).toEqual([])
  })
})
