import { expect, test } from 'bun:test'
import { kindOfSource } from '../../../../plugins/visibility/sums/source-kinds'

const competitors = [{ domain: 'www.Rival.example' }, {}]

test.each([
  ['own', 'acme.example', true],
  ['competitor', 'rival.example', false],
  ['competitor', 'blog.rival.example', false],
  ['review', 'de.trustpilot.com', false],
  ['social', 'www.reddit.com', false],
  ['news', 'bbc.co.uk', false],
  ['reference', 'en.wikipedia.org', false],
  ['official', 'www.leeds.gov.uk', false],
  ['official', 'leeds.ac.uk', false],
  ['official', 'mit.edu', false],
  ['other', 'notreddit.com', false],
  ['other', 'gov.example', false],
  ['other', 'uk', false],
  ['other', '', false],
] as const)('a source is of the kind %s: %s', (kind, domain, isOwn) => {
  expect(kindOfSource(domain, isOwn, competitors)).toBe(kind)
})
