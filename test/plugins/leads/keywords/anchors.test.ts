import { expect, test } from 'bun:test'
import { anchorsOf } from '../../../../plugins/leads/keywords/anchors'
import type { KeywordNode, PhraseNode } from '../../../../plugins/leads/keywords/node'

const phrase = (folded: string): PhraseNode => ({
  kind: 'phrase',
  text: folded,
  folded,
  exact: null,
  within: null,
  at: 0,
  length: folded.length,
})
const and = (...of: KeywordNode[]): KeywordNode => ({ kind: 'and', of })
const or = (...of: KeywordNode[]): KeywordNode => ({ kind: 'or', of })
const not = (of: KeywordNode): KeywordNode => ({ kind: 'not', of })
const near = (left: string[], right: string[]): KeywordNode => ({
  kind: 'near',
  distance: 3,
  left: left.map(phrase),
  right: right.map(phrase),
})
const site: KeywordNode = { kind: 'field', field: 'site', value: 'a.example' }
const [a, bb, ccc, ddd] = ['a', 'bb', 'ccc', 'ddd'].map(phrase) as [
  PhraseNode,
  PhraseNode,
  PhraseNode,
  PhraseNode,
]

test.each<[string, KeywordNode, string[] | null]>([
  ['a phrase', ccc, ['ccc']],
  ['of several the longest', and(a, ccc, bb), ['ccc']],
  ['of equal ones the first', and(a, ddd, ccc), ['ddd']],
  ['one question before two longer ones', and(or(ccc, ddd), a), ['a']],
  ['of groups that with the longest shortest phrase', and(or(a, ddd), or(bb, bb)), ['bb', 'bb']],
  ['all alternatives', or(a, and(bb, ccc), ddd), ['a', 'ccc', 'ddd']],
  ['none where an alternative has none', or(a, site), null],
  ['none where an alternative says what must not be', or(a, not(bb)), null],
  ['those that a part has, beside parts without', and(site, not(ddd), bb), ['bb']],
  ['none of a site, or of what must not be', and(site, not(ddd)), null],
  ['none of nothing', and(), null],
  ['the side of fewer', near(['a'], ['bbb', 'ccc']), ['a']],
  ['the side of longer ones', near(['a', 'ccc'], ['bb', 'bb']), ['bb', 'bb']],
  ['the left of two equal sides', near(['bb'], ['cc']), ['bb']],
])('%s', (_, node, wanted) => {
  expect(anchorsOf(node)?.map(({ folded }) => folded) ?? null).toEqual(wanted)
})
