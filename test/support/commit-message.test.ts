import { expect, test } from 'bun:test'
import { messageFaults } from './commit-message'

const body = '\n\nTwo processes could both hold it.\n'

test.each([
  'jobs: refuse a second lease',
  'reviews, traffic: compare counted periods only',
  'core/jobs: process due jobs in order',
  'test: read a log once it holds every line',
])('%s is a title', (title) => {
  expect(messageFaults(title + body)).toEqual([])
  expect(messageFaults(`${title}${body}# a comment of git\n`)).toEqual([])
})

test.each([
  ['refuse a second lease', 'The title starts with the area'],
  ['Jobs: refuse a second lease', 'The title starts with the area'],
  ['jobs: refused a second lease', 'not "refused"'],
  ['jobs: refuses a second lease', 'not "refuses"'],
  ['jobs: refusing a second lease', 'not "refusing"'],
  ['jobs: A second lease', 'not "A second lease"'],
  ['jobs: refuse a second lease.', 'without a full stop'],
  [`jobs: refuse ${'x'.repeat(60)}`, 'has 73 characters. It may have 72'],
])('%s is none', (title, fault) => {
  expect(messageFaults(title + body)).toEqual([expect.stringContaining(fault)])
})

test('a body says why, after an empty line', () => {
  expect(messageFaults('jobs: refuse a second lease\n')).toEqual(['The body says why, after an empty line.'])
  expect(messageFaults('jobs: refuse a second lease\nat once\n\nwhy\n')).toEqual([
    'The second line is empty.',
  ])
  expect(messageFaults('Merge branch x\n')).toEqual([])
})
