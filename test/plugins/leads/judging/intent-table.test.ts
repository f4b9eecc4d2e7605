import { expect, test } from 'bun:test'
import { intentLexicon, urgencyRule } from '../../../../plugins/leads/judging/intent-lexicon'
import { intentReasons } from '../../../../plugins/leads/judging/judge-intent'
import { readPage } from '../../../support/docs-pages'

test('the points of intent in the docs are those of the rules', async () => {
  const page = await readPage('docs/owners/mentions.md')
  const table = page.slice(page.indexOf('**Intent** begins at 0')).split('\n\n')[1] ?? ''
  const rows = table
    .split('\n')
    .slice(2)
    .map((row) =>
      row
        .split('|')
        .slice(1, 3)
        .map((cell) => cell.trim()),
    )
  const printed = Object.fromEntries(rows.map(([reason, points = '']) => [reason, points.replace('−', '-')]))
  const post = { body: 'Can anybody recommend a plumber in Leeds?' }
  const found = intentReasons(post, { business_name: 'Acme', city: 'Leeds' })
  const pointsOf = (kind: string) => String(found.find((reason) => reason.kind === kind)?.points)
  expect(printed).toEqual({
    ...Object.fromEntries(intentLexicon.map(({ says, points }) => [says, String(points)])),
    [`${urgencyRule.says}, beside another reason`]: String(urgencyRule.points),
    'Names the place of the business, beside another reason': pointsOf('place'),
    'Is a question, beside another reason': pointsOf('question'),
  })
})
