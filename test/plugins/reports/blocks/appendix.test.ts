import { expect, test } from 'bun:test'
import { appendixOf } from '../../../../plugins/reports/blocks/appendix'
import type { Figure, TreeSection } from '../../../../plugins/reports/blocks/block'

const figure = (id: string, more: Partial<Figure>): Figure => ({
  id,
  label: `Label of ${id}`,
  value: 12,
  unit: 'count',
  definition: `${id}@1`,
  ...more,
})
const sectionOf = (...figures: Figure[]): TreeSection => ({
  name: 'reviews',
  title: 'Reviews',
  blocks: [{ kind: 'figures', figures }],
})

test('the appendix lists each figure once, with its interval in its own unit', () => {
  const share = figure('share', {
    value: 0.25,
    unit: 'share',
    interval: { low: 0.1, high: 0.456 },
    n: 1_200,
    previous: 0.2,
  })
  const sections = [sectionOf(figure('count', {}), share), sectionOf(share)]
  expect(appendixOf({ sections })).toEqual([
    {
      id: 'count',
      label: 'Label of count',
      value: '12',
      interval: '–',
      n: '–',
      change: '–',
      definition: 'count@1',
    },
    {
      id: 'share',
      label: 'Label of share',
      value: '25.0 %',
      interval: '10.0 % to 45.6 %',
      n: '1,200',
      change: 'up from 20.0 %',
      definition: 'share@1',
    },
  ])
})
