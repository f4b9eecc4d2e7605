import { expect, test } from 'bun:test'
import { graceMs as domainGraceMs, patienceMs } from '../core/auth/domains/domains'
import { idleMs } from '../core/auth/oauth/grants/grants'
import { graceMs as refreshGraceMs, siblingsMax } from '../core/auth/oauth/grants/tokens'
import { agents } from '../ingest/data/agents'
import { spoofedAgeMaxMs } from '../ingest/judge/verify'
import { sensitiveLanguages } from '../plugins/reviews/analysis/sensitive'
import { passingMs, permissionWaitsMs } from '../plugins/reviews/due/replyRetries'
import { confirmAfterMs } from '../plugins/reviews/proof/removals'
import { modelStarsMin } from '../plugins/reviews/records/AutoResponseRules'
import { readingsAtOnce } from '../plugins/reviews/sync/longReadings'
import { replyLanguages } from '../plugins/reviews/writing/safe-phrases'
import { heldOut } from './plugins/reviews/support/examples'
import { replyCorpus } from './plugins/reviews/support/reply-corpus'
import { readPage } from './support/docs-pages'

const minutes = (ms: number) => ms / 60_000
const hours = (ms: number) => minutes(ms) / 60
const days = (ms: number) => hours(ms) / 24
const words = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten']
const word = (count: number) => words[count] ?? String(count)

const { serious, harmless } = heldOut
const spoken = new Set([...serious, ...harmless].map(([language]) => language)).size
const replies = replyCorpus('held-out')
const good = replies.filter(({ isGood }) => isGood).length
const [first = 0, second = 0, ...later] = permissionWaitsMs
const laterHours = later.map(hours)

/** Figures of pages, and what the code or the fixtures make of them. */
const figures: readonly (readonly [page: string, words: string])[] = [
  ['docs/owners/review-replies.md', `by lists in ${sensitiveLanguages.length} languages`],
  [
    'docs/owners/review-replies.md',
    `on ${serious.length + harmless.length} sentences in ${spoken} languages`,
  ],
  [
    'docs/owners/review-replies.md',
    `${replies.length} held-out texts in these ${word(replyLanguages.length)} languages`,
  ],
  ['docs/owners/review-replies.md', `none of ${replies.length - good} bad ones`],
  ['docs/owners/review-replies.md', `of ${good} good ones`],
  ['docs/owners/review-syncs.md', `reads ${word(readingsAtOnce)} locations of an agency at once`],
  ['docs/owners/review-replies.md', `reviews with ${modelStarsMin} stars or more`],
  [
    'docs/owners/review-syncs.md',
    `a second such sync, ${hours(confirmAfterMs) === 1 ? 'an hour' : hours(confirmAfterMs)} later or more`,
  ],
  ['docs/owners/review-replies.md', `Tries again for ${hours(passingMs)} hours`],
  [
    'docs/owners/review-replies.md',
    `after ${minutes(first)} minutes, ${minutes(second)} minutes, ${laterHours.slice(0, -1).join(', ')} and ${laterHours.at(-1)} hours`,
  ],
  ['docs/agents/api.md', `| ${days(idleMs)} days unused,`],
  ['docs/agents/api.md', `up to ${word(siblingsMax)} more pairs for ${minutes(refreshGraceMs)} minutes`],
  ['docs/operators/domains.md', `no record within ${word(days(patienceMs) / 7)} weeks`],
  ['docs/operators/domains.md', `served for ${word(days(domainGraceMs) / 7)} more week`],
  ['docs/operators/verdicts.md', `hits older than ${days(spoofedAgeMaxMs)} days`],
]

test.each(figures)('%s says: %s', async (page, text) => {
  expect((await readPage(page)).replace(/\s+/g, ' ')).toContain(text)
})

test('the number of agents that the page for site owners gives is so', async () => {
  const [, others] = /PerplexityBot and more than (\d+) others/.exec(
    await readPage('docs/owners/traffic.md'),
  ) as RegExpExecArray
  const known = agents.length - 3
  expect([Number(others) < known, known - Number(others) <= 20]).toEqual([true, true])
})
