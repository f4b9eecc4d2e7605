import { describe, expect, test } from 'bun:test'
import {
  type BoardFilters,
  boardAddress,
  boardSearch,
  isFiltered,
  periods,
  readBoardFilters,
  seenChoices,
  sources,
} from '../../../../plugins/leads/board/board-filters'
import { stageNames, stages } from '../../../../plugins/leads/records/stage-names'

const read = (query: string) => readBoardFilters(new URLSearchParams(query))
const nothing: BoardFilters = {
  stage: '',
  source: '',
  seen: '',
  days: '',
  due: '',
  archived: '',
  location: '',
  assigned: '',
  lead: '',
  after: '',
}

describe('the filters of the board', () => {
  test('name every choice, in order, and read it as it is sent', () => {
    expect<unknown>(stages.map((stage) => [stage, stageNames[stage]])).toEqual([
      ['new', 'New'],
      ['contacted', 'Contacted'],
      ['qualified', 'Qualified'],
      ['won', 'Won'],
      ['lost', 'Lost'],
    ])
    expect(seenChoices).toEqual([
      ['no', 'Not seen'],
      ['yes', 'Seen'],
    ])
    expect(periods).toEqual([
      ['1', 'Last 24 hours'],
      ['7', 'Last 7 days'],
      ['30', 'Last 30 days'],
      ['90', 'Last 90 days'],
      ['365', 'Last 365 days'],
    ])
    const values = (pairs: typeof sources) => pairs.map(([value]) => value)
    const all = { stage: stages, seen: values(seenChoices), days: values(periods), source: values(sources) }
    for (const [name, choices] of Object.entries(all))
      for (const value of choices)
        expect(read(`${name}=${value}`)).toEqual({ asked: { ...nothing, [name]: value }, ignored: [] })
  })

  test.each([
    ['stage', 'gone', 'Use new, contacted, qualified, won, lost.'],
    ['seen', 'maybe', 'Use no, yes.'],
    ['days', '2', 'Use 1, 7, 30, 90, 365.'],
    ['due', '0', 'Use 1.'],
    ['archived', 'yes', 'Use 1.'],
    ['location', 'x'.repeat(101), 'Use the id of a location.'],
    ['assigned', 'x'.repeat(101), 'Use me, none, or the name of a person.'],
    ['lead', 'x'.repeat(101), 'Use the id of a lead.'],
    ['after', 'x'.repeat(201), 'Use the link below the list.'],
  ])('tell that %s is not %j, and leave it out', (name, value, accepted) => {
    expect(read(`${name}=${value}`)).toEqual({
      asked: nothing,
      ignored: [{ name, value: value.slice(0, 100), accepted }],
    })
    if (value.length > 100) {
      const shorter = value.slice(1)
      expect(read(`${name}=${shorter}`)).toEqual({ asked: { ...nothing, [name]: shorter }, ignored: [] })
    }
  })

  test('are set by anything but the shown lead, the page and the stage that is a list', () => {
    expect(isFiltered(nothing)).toBe(false)
    for (const name of Object.keys(nothing))
      expect([name, isFiltered({ ...nothing, [name]: '1' })]).toEqual([
        name,
        !['lead', 'after', 'stage'].includes(name),
      ])
  })

  test('are all in the address, and another one begins at the first page and shows no lead', () => {
    const asked = { ...nothing, stage: 'won', lead: 'led_1', after: 'x', assigned: 'Zoë B' }
    expect(read(boardSearch(asked)).asked).toEqual(asked)
    expect(boardSearch(asked, { lead: 'led_2' })).toBe('stage=won&assigned=Zo%C3%AB+B&lead=led_2&after=x')
    for (const name of Object.keys(nothing).filter((one) => !['lead', 'after'].includes(one)))
      expect(boardSearch(asked, { [name]: '1' })).not.toMatch(/lead=|after=/)
    expect([boardAddress(''), boardAddress('days=7')]).toEqual(['/app/leads', '/app/leads?days=7'])
  })
})
