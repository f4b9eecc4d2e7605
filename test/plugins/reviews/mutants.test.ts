import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { type Mutant, sourceOfMutant } from './support/mutant'

const isLong = process.env.RENOWN_LONG === '1'
const root = join(import.meta.dir, '../../..')

/** Every rule of removals taken away, one at a time. Tests of the rule alone must tell. */
const rules: readonly (Mutant & { readonly rule: string })[] = [
  {
    rule: '1: every page came and could be read',
    file: 'proof/pass.ts',
    from: 'async () => listing.page(token)',
    to: 'async () => listing.page(token).catch(() => ({ reviews: [], total: null, next: null }))',
  },
  {
    rule: '2: it was read to its end',
    file: 'proof/pass.ts',
    from: "return 'cut_off'",
    to: 'return undefined',
  },
  { rule: '2: no page came twice', file: 'proof/pass.ts', from: "return 'looped'", to: 'return undefined' },
  {
    rule: '2: it was not interrupted',
    file: 'proof/pass.ts',
    from: "return 'interrupted'",
    to: 'return undefined',
  },
  {
    rule: '2: no minutes went by between two pages',
    file: 'proof/progress.ts',
    from: 'pauseMs > pauseMaxMs',
    to: 'pauseMs < 0',
  },
  {
    rule: '1: every row could be read',
    file: 'proof/pass.ts',
    from: "return 'unread'",
    to: 'return undefined',
  },
  {
    rule: '3: what an earlier reading returned counts for none',
    file: 'proof/pass.ts',
    from: 'progress = restartProgress(progress, await sink.anew(), reason)',
    to: 'progress = { ...restartProgress(progress, await sink.anew(), reason), id: progress.id }',
  },
  {
    rule: '3: the count was there',
    file: 'proof/pass.ts',
    from: "return 'total_missing'",
    to: 'return undefined',
  },
  {
    rule: '3: the count stood still',
    file: 'proof/pass.ts',
    from: "return 'total_changed'",
    to: 'return undefined',
  },
  {
    rule: '3: the count is what was read',
    file: 'proof/pass.ts',
    from: ": 'total_differs'",
    to: ': undefined',
  },
  {
    rule: '3: a review on two pages counts once',
    file: 'proof/pass.ts',
    from: 'return progress.last_total === progress.distinct',
    to: 'return progress.last_total === progress.items',
  },
  { rule: '4: nothing at all', file: 'proof/removals.ts', from: 'proof.distinct === 0 ||', to: '' },
  {
    rule: '5: many at once',
    file: 'proof/removals.ts',
    from: '|| missing.length > alone(visible)',
    to: '',
  },
  { rule: '5: an hour apart', file: 'proof/removals.ts', from: '>= confirmAfterMs', to: '>= 0' },
  {
    rule: '6: the source itself had returned it',
    file: 'proof/removals.ts',
    from: 'seen_at !== undefined && seen_at < began_at',
    to: '(seen_at ?? "") < began_at',
  },
  {
    rule: '6: before the reading began',
    file: 'proof/removals.ts',
    from: 'seen_at < began_at &&',
    to: '',
  },
  {
    rule: '6: and it stood here before',
    file: 'proof/removals.ts',
    from: '&& created_date < began_at',
    to: '',
  },
  {
    rule: 'what was not complete removes nothing',
    file: 'proof/removals.ts',
    from: 'if (!proof.complete) return',
    to: 'if (false as boolean) return',
  },
  {
    rule: 'without a count a second reading',
    file: 'proof/removals.ts',
    from: "proof.evidence !== 'counted' ||",
    to: '',
  },
]

/** The quick run tries every sixth mutant. Each starts a process. */
const tried = <M>(mutants: readonly M[]) => (isLong ? mutants : mutants.filter((_, n) => n % 6 === 0))

/** The filter of reply texts taken away, in part or whole. Tests that look at what reaches the platform must tell. */
const filters: readonly (Mutant & { readonly leak: string })[] = [
  {
    leak: 'what the filter refuses',
    file: 'writing/writeReply.ts',
    from: 'if (verdict.isSendable) return',
    to: 'if (true as boolean) return { isSendable: true, text: text as never, judgedBy }\n  if (verdict.isSendable) return',
  },
  {
    leak: 'what the second look finds',
    file: 'writing/writeReply.ts',
    from: 'if (look.isClean) return judged',
    to: 'if (true as boolean) return judged',
  },
  {
    leak: 'text in words that are on no list',
    file: 'writing/judgeReply.ts',
    from: 'if (!end) return',
    to: 'if (!end) return 0\n  if (!end) return',
  },
  {
    leak: 'text of a model at any rating',
    file: 'writing/writeReply.ts',
    from: 'if (starsOf(review) < starsMin) {',
    to: 'if (starsOf(review) < 0) {',
  },
  {
    leak: 'text in a language that nobody knows',
    file: 'writing/writeReply.ts',
    from: 'const language = await replyLanguage(review, business)',
    to: "const language = (await replyLanguage(review, business)) ?? 'en'",
  },
]

/** Rules of automatic replies. Tests of replies must tell. */
const replies: readonly (Mutant & { readonly rule: string })[] = [
  {
    rule: 'the review that was just read is judged',
    file: 'reply/sendReply.ts',
    from: 'const unwanted = whySkipped(row, believed, given)',
    to: 'const unwanted = null as ReturnType<typeof whySkipped>',
  },
  {
    rule: 'a draft is for the words that it was written for',
    file: 'reply/sendReply.ts',
    from: 'job.draftFor(said)',
    to: 'job.drafts.at(-1)?.text',
  },
  {
    rule: 'an edit that the look sees is stored',
    file: 'reply/sendReply.ts',
    from: 'isOtherwise(source, review, said)',
    to: '(false as boolean)',
  },
  {
    rule: 'sensitive words are for people',
    file: 'due/whyUnanswered.ts',
    from: "length > 0) return 'sensitive'",
    to: "length > 999) return 'sensitive'",
  },
]

/** What the simulated year must notice by itself, without a test of the rule. */
const lies: readonly (Mutant & { readonly lie: string; readonly finding: string })[] = [
  {
    lie: 'many go by one reading',
    finding: 'wrong removal',
    file: 'proof/removals.ts',
    from: '|| missing.length > alone(visible)',
    to: '',
  },
  {
    lie: 'what a listing misses is not asked for by itself, and any listing will do',
    finding: 'wrong removal',
    file: 'sync/readReviews.ts',
    from: 'if (said !== null) found.push({ ...held, said })',
    to: "found.push({ ...held, said: said ?? '' })",
  },
  {
    lie: 'what is gone stays',
    finding: 'missed removal',
    file: 'sync/readReviews.ts',
    from: 'for (const row of removed)',
    to: 'for (const row of removed.slice(1))',
  },
  {
    lie: 'what came back stays away',
    finding: 'lost review',
    file: 'analysis/reconcile.ts',
    from: 'if (restored) set.removed_at_source_at = null',
    to: '',
  },
  {
    lie: 'new words are not kept',
    finding: 'lost edit',
    file: 'analysis/reconcile.ts',
    from: "  'review_text',\n  'review_language',",
    to: "  'review_language',",
  },
  {
    lie: 'a reply typed there is not kept',
    finding: 'lost edit',
    file: 'analysis/reconcile.ts',
    from: "  'reply_text',\n",
    to: '',
  },
  {
    lie: 'a reply is not looked for before it is sent',
    finding: 'complaint: a second reply',
    file: '../google/reviews.ts',
    from: 'review, reply: standingReply(review) }',
    to: 'review: { ...review, reply: undefined as never }, reply: null }',
  },
  {
    lie: 'removed reviews count',
    finding: 'wrong figures',
    file: 'operations/visible.ts',
    from: "where.eq('removed_at_source_at', null)",
    to: "where.ne('id', '')",
  },
  {
    lie: 'the ledger forgets removals',
    finding: 'broken chain',
    file: 'proof/ledger.ts',
    from: 'withheld, ...asEntry(proven),',
    to: 'withheld, ...asEntry([]),',
  },
  {
    lie: 'a reply whose queue was never told waits for ever',
    finding: 'lost reply',
    file: 'sync/readReviews.ts',
    from: 'await requeueReplies(ctx, chain)',
    to: '',
  },
]

test('every mutant changes one place', async () => {
  for (const mutant of [...rules, ...filters, ...replies, ...lies]) {
    const source = await sourceOfMutant(mutant)
    expect([mutant.file, mutant.from, source.split(mutant.from).length]).toEqual([
      mutant.file,
      mutant.from,
      2,
    ])
  }
})

test('without a mutant the tests of the rules pass', async () => {
  const same = { file: 'proof/removals.ts', from: 'missing', to: 'missing' }
  expect((await run(same, ['proof/pass.test.ts', 'proof/removals.test.ts'])).code).toBe(0)
}, 90_000)

describe('Without the rule', () => {
  test.each(tried(rules))(
    '$rule, the tests of the rules fail',
    async (mutant) => {
      const { code, output } = await run(mutant, ['proof/pass.test.ts', 'proof/removals.test.ts'])
      expect(output).toContain('(fail)')
      expect(code).toBe(1)
    },
    90_000,
  )
})

describe('A product that sends', () => {
  test.each(tried(filters))(
    '$leak fails the tests of what reaches the platform',
    async (mutant) => {
      const { code, output } = await run(mutant, ['reply/sendReply.test.ts'])
      expect(output).toContain('(fail)')
      expect(code).toBe(1)
    },
    90_000,
  )
})

describe('Without the rule of replies', () => {
  test.each(tried(replies))(
    '$rule, the tests of replies fail',
    async (mutant) => {
      const { code, output } = await run(mutant, ['lookBeforeReply.test.ts', 'reply/sendReply.test.ts'])
      expect(output).toContain('(fail)')
      expect(code).toBe(1)
    },
    90_000,
  )
})

// Each plays a year, or the part of it until it is found out.
if (isLong) {
  describe('The simulated year notices', () => {
    test.each(lies)(
      'that $lie',
      async (mutant) => {
        const { code, output } = await run(mutant, ['year.test.ts'])
        expect(output).toContain(mutant.finding)
        expect(code).toBe(1)
      },
      600_000,
    )
  })
}

async function run({ file, from, to }: Mutant, tests: readonly string[]) {
  const mutate = join(import.meta.dir, 'support/mutant.ts')
  const child = Bun.spawn(
    [process.execPath, 'test', '--preload', mutate, ...tests.map((name) => `./test/plugins/reviews/${name}`)],
    {
      cwd: root,
      env: { ...process.env, RENOWN_LONG: '', RENOWN_MUTANT: JSON.stringify({ file, from, to }) },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  const [out, error, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
  return { code, output: `${out}\n${error}` }
}
