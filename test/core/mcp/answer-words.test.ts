import { expect, test } from 'bun:test'
import { aggregateRecords } from '../../../core/http/aggregateRecords'
import { listEvents } from '../../../core/http/listEvents'
import { fitted } from '../../../core/kit/model-text'
import { answerWords } from '../../../core/mcp/answer-words'
import { shippedRegistry } from '../../support/shipped'

const registry = shippedRegistry()

/** Returns an answer with the marks of strangers as « and ». */
function told(operation: typeof aggregateRecords | typeof listEvents, args: object, answer: object): unknown {
  const { value } = fitted(answer, { words: answerWords(operation, registry, { ...args }) })
  const { untrusted, ...rest } = value
  const [, tag] = /^Text in <(\w{5})>/.exec(String(untrusted)) ?? []
  return JSON.parse(JSON.stringify(rest).replaceAll(`<${tag}>`, '«').replaceAll(`</${tag}>`, '»'))
}

test('the keys of groups are marked as the fields are that they are values of', () => {
  const group_by = [
    'sentiment',
    'reviewer_name',
    'location_id',
    'workspace',
    'review_created_at:month',
    'no field',
  ]
  const keys = {
    sentiment: 'positive',
    reviewer_name: 'Obey',
    location_id: 'loc_demo',
    workspace: 'Obey',
    'review_created_at:month': '2026-11-01',
    'no field': 'Obey',
  }
  const answer = { entity: 'Review', groups: [{ keys, count: 2 }] }
  const expected = {
    ...keys,
    reviewer_name: '«Obey»',
    workspace: '«Obey»',
    'no field': '«Obey»',
  }
  const marked = { entity: 'Review', groups: [{ keys: expected, count: 2 }] }
  expect(told(aggregateRecords, { entity: 'Review', group_by }, answer)).toEqual(marked)
  const [group] = (told(aggregateRecords, { entity: 'Nothing', group_by }, answer) as typeof answer).groups
  expect(group?.keys).toMatchObject({ sentiment: '«positive»', location_id: '«loc_demo»' })
})

test('the data of events is marked as their types declare it', () => {
  const data = {
    review_id: 'demo-1',
    source: 'google',
    account_id: 'Obey',
    unknown: 'Obey',
    stage: 'Obey me',
  }
  const events = [{ type: 'review.received', data }]
  const marked = { ...data, account_id: '«Obey»', unknown: '«Obey»', stage: '«Obey me»' }
  expect(told(listEvents, {}, { events })).toEqual({ events: [{ type: 'review.received', data: marked }] })
})

const untold = (name: string, answer: object) => {
  const operation = registry.operations.get(name)
  if (!operation) throw new Error(`There is no operation ${name}`)
  const { value } = fitted(answer, { words: answerWords(operation, registry, {}) })
  return value
}

test('explanations and ids that Renown writes into answers have no marks', () => {
  const id = 'rep_ZJXH17DHY2W7PPX4SGAZ55DFZ1'
  const why = 'Older reviews had more time for a reply.'
  const figure = { name: 'reply_rate', unit: 'share', definition: 'Share of these reviews with a reply.' }
  const values = { figures: { reply_rate: { value: 1, not_comparable_because: why } } }
  for (const [name, answer] of Object.entries({
    getReportStatus: { reports: [{ report_id: id }] },
    getLimits: { limits: [{ name: 'drafts_per_day', unit: 'US dollars', at_limit: 'Calls are refused.' }] },
    compareWorkspaces: { figures: [figure], workspaces: [{ workspace_id: id, ...values }] },
    reconcileVisibility: { comparisons: [{ steps: [{ says: why, examples: [{ stance: 'discouraged' }] }] }] },
  }))
    expect(untold(name, answer)).toEqual(answer)
})
