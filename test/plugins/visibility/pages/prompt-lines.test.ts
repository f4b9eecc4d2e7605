import { describe, expect, test } from 'bun:test'
import { lossesOf, type PromptSource, promptLines } from '../../../../plugins/visibility/pages/prompt-lines'
import type { PromptLine } from '../../../../plugins/visibility/pages/visibility-data'
import type { TrackedCell } from '../../../../plugins/visibility/sums/cells'
import { part } from '../../../support/part'

const prompt = (id: string, status = 'active') =>
  part<PromptSource['prompts'][number]>({
    id,
    status: status as 'active',
    text: `Which ${id}?`,
    language: 'en',
    tracker_id: 't1',
  })
const cell = (prompt_id: string, engine: string, k: number, n: number, country = 'de') =>
  part<TrackedCell>({
    prompt_id,
    engine,
    country,
    k,
    n,
    tracker_id: 't1',
    key: `${prompt_id} ${engine} ${country}`,
    series: engine,
    recommended: 0,
    judged: 0,
  })
const lines = (source: Partial<PromptSource>) =>
  promptLines({
    prompts: [],
    trackers: [part({ id: 't1', brand_name: 'Acme' })],
    engines: ['a', 'b', 'c'],
    cells: [],
    shift: null,
    open: new Set('vwxyz'),
    lost: new Map(),
    labelOf: (engine) => engine.toUpperCase(),
    ...source,
  })
const ids = (of: readonly PromptLine[]) => of.map(({ id }) => id).join('')
const lostTo = (answers: number, ...names: string[]) => ({
  answers,
  to: names.map((name) => ({ name, answers: 1 })),
})

describe('the lines of prompts', () => {
  test('begin with the lowest rate, then the most losses, and end with those without answers and with the brand', () => {
    const prompts = ['q', 'x', 'z', 'y', 'w', 'v'].map((id) => prompt(id))
    const cells = [cell('q', 'a', 0, 9), cell('x', 'a', 3, 4), cell('w', 'a', 1, 4), cell('y', 'a', 1, 4)]
    expect(
      ids(lines({ prompts, cells: [...cells, cell('v', 'a', 1, 4)], lost: new Map([['y', lostTo(2)]]) })),
    ).toBe('yvwxzq')
  })

  test('show a paused prompt only where it has answers', () => {
    const prompts = [prompt('x', 'paused'), prompt('y', 'paused'), prompt('z')]
    const shown = lines({ prompts, cells: [cell('x', 'a', 0, 1)] })
    expect(
      shown.map(({ id, is_paused, is_branded, brand_name }) => [id, is_paused, is_branded, brand_name]),
    ).toEqual([
      ['x', true, false, 'Acme'],
      ['z', false, false, 'Acme'],
    ])
  })

  test('have a cell for each engine, over all countries, and none where it gave no answer', () => {
    const cells = [
      cell('x', 'a', 1, 2),
      cell('x', 'a', 2, 3, 'fr'),
      cell('x', 'c', 0, 1),
      cell('y', 'b', 1, 1),
    ]
    const [line] = lines({ prompts: [prompt('x')], cells })
    expect(line?.cells).toEqual([{ k: 3, n: 5 }, null, { k: 0, n: 1 }])
    expect(line?.rate.n).toBe(6)
  })

  test('name the two worst engines, of equal ones that with more answers, and three competitors', () => {
    const worst = (...cells: TrackedCell[]) => lines({ prompts: [prompt('x')], cells })[0]?.worst
    expect(worst(cell('x', 'a', 1, 2), cell('x', 'b', 0, 3), cell('x', 'c', 0, 5))).toEqual([
      'C 0 of 5',
      'B 0 of 3',
    ])
    expect(worst(cell('x', 'a', 2, 2), cell('x', 'b', 4, 5), cell('x', 'c', 3, 3))).toEqual(['B 4 of 5'])
    const lost = new Map([['x', lostTo(7, 'k', 'l', 'm', 'n')]])
    const [line] = lines({ prompts: [prompt('x'), prompt('y')], lost })
    expect([line?.lost, line?.lost_to.map(({ name }) => name)]).toEqual([7, ['k', 'l', 'm']])
  })

  test('that lose most come first among the losses, then those with the lower rate', () => {
    const cells = [cell('x', 'a', 3, 4), cell('y', 'a', 1, 4), cell('z', 'a', 2, 4), cell('q', 'a', 0, 4)]
    const lost = new Map([
      ['x', lostTo(2, 'k')],
      ['y', lostTo(2, 'k')],
      ['z', lostTo(3, 'k')],
      ['q', lostTo(9, 'k')],
    ])
    const all = lines({ prompts: ['w', 'x', 'y', 'z', 'q'].map((id) => prompt(id)), cells, lost })
    expect(ids(lossesOf(all, 9))).toBe('zyx')
    expect(ids(lossesOf(all.toReversed(), 2))).toBe('zy')
    expect(lossesOf(all, 0)).toEqual([])
  })
})
