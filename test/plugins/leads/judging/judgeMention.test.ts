import { describe, expect, test } from 'bun:test'
import { ServiceFault } from 'renown'
import type { Model } from 'renown/sources'
import { judgeMention } from '../../../../plugins/leads/judging/judgeMention'
import type {
  JudgedLocation,
  JudgedMention,
  JudgedTracker,
  MentionJudgement,
} from '../../../../plugins/leads/judging/judgement'
import {
  learnFrom,
  type MentionDecision,
  suggestedWords,
} from '../../../../plugins/leads/judging/learned-words'

const location: JudgedLocation = {
  business_name: 'Northgate Plumbing',
  business_category: 'Plumber',
  city: 'Leeds',
  website: 'https://www.northgate.example/home',
}
const tracker = (more: Partial<JudgedTracker> = {}): JudgedTracker => ({
  id: 'trk_1',
  workspace_id: 'wsp_1',
  keywords: ['Northgate', 'plumber'],
  required_keywords: [],
  excluded_keywords: [],
  ...more,
})
const mention = (body: string, more: Partial<JudgedMention> = {}): JudgedMention => ({
  id: 'men_1',
  workspace_id: 'wsp_1',
  body,
  url: 'https://forum.example/1',
  source: 'forum',
  ...more,
})
const noModel: Model = {
  isConfigured: false,
  generator: 'llm:',
  ask: () => Promise.reject(new Error('not configured')),
}
interface Seen {
  instructions: string
  data: unknown
}
const modelOf = (answer: unknown, seen: Seen[] = []): Model => ({
  isConfigured: true,
  generator: 'llm:test',
  ask: async ({ instructions, data }) => {
    seen.push({ instructions, data })
    if (answer instanceof Error) throw answer
    return answer
  },
})
const judge = (
  one: JudgedMention,
  {
    model = noModel,
    about = {},
    by = {},
    decisions = [],
  }: {
    readonly model?: Model
    readonly about?: Partial<JudgedLocation>
    readonly by?: Partial<JudgedTracker>
    readonly decisions?: readonly MentionDecision[]
  } = {},
) =>
  judgeMention(
    { outbound: { model } },
    {
      mention: one,
      tracker: tracker(by),
      location: { ...location, ...about },
      learned: learnFrom(decisions),
    },
  )
/** The reasons of the lexicon and the model, without what the classifier adds. */
const byLexicon = ({ intent }: Pick<MentionJudgement, 'intent'>) =>
  intent.reasons.filter(({ kind }) => !kind.startsWith('reads_like'))
const nothing = {
  relevance: null,
  relevance_quote: null,
  sentiment: null,
  sentiment_quote: null,
  intents: [],
}

describe('Relevance by rules', () => {
  test.each([
    ['I had Northgate Plumbing over yesterday', 'relevant', 'names_business'],
    ['Plumber in Leeds came late', 'relevant', 'names_place'],
    ['See northgate.example for prices of a plumber', 'relevant', 'names_website'],
    ['the old northgate of the castle', 'irrelevant', 'small_letters'],
    ['plumber promo code inside! giveaway', 'irrelevant', 'bulk_post'],
    [`plumber ${'#tag '.repeat(9)}`, 'maybe', 'many_hashtags'],
  ])('%s: %s', async (body, relevance, kind) => {
    const judged = await judge(mention(body))
    expect(judged.relevance_reasons.map((reason) => reason.kind)).toContain(kind)
    expect<unknown>([judged.relevance, judged.relevance_score]).toEqual([relevance, judged.relevance_score])
    expect(judged.relevance_reason.length).toBeGreaterThan(5)
  })

  test('counts the own website and account against a mention', async () => {
    const own = await judge(mention('Northgate Plumbing news', { url: 'https://blog.northgate.example/1' }))
    expect(own.relevance).toBe('irrelevant')
    const account = await judge(mention('a plumber', { author: { handle: 'Northgate_Plumbing' } }))
    expect(account.relevance_reasons.map(({ kind }) => kind)).toContain('own_account')
  })

  test('does not count the place of a business that is only online', async () => {
    const body = 'Can anyone recommend a plumber in Leeds?'
    const local = await judge(mention(body))
    const online = await judge(mention(body), { about: { is_online_only: true } })
    expect((local.relevance_score ?? 0) - (online.relevance_score ?? 0)).toBe(15)
    expect(byLexicon(local).some(({ kind }) => kind === 'place')).toBe(true)
    expect(byLexicon(online).some(({ kind }) => kind === 'place')).toBe(false)
  })
})

describe('Intent by rules', () => {
  test.each<[body: string, kinds: string[]]>([
    ['Can anyone recommend a plumber in Leeds?', ['asks_recommendation', 'question', 'place']],
    ['Looking for a good plumber asap', ['wants_to_buy', 'urgency']],
    ['How much does a plumber charge?', ['price_question', 'question']],
    ['Fed up with my plumber, never turned up', ['competitor_complaint']],
    ['Switching from Acme Heating, is a plumber needed?', ['switching', 'question']],
    ['Kann jemand einen Klempner empfehlen?', ['asks_recommendation', 'question']],
    ['Quelqu’un peut me recommander un plombier ?', ['asks_recommendation', 'question']],
    ['¿Alguien me recomienda un fontanero?', ['asks_recommendation', 'question']],
    ['Qualcuno mi consiglia un idraulico?', ['asks_recommendation', 'question']],
    ['Kan iemand een loodgieter aanraden?', ['asks_recommendation', 'question']],
    ['Alguém recomenda um encanador?', ['asks_recommendation', 'question']],
    ['We offer plumber services, call us today', ['sells']],
    ['I highly recommend my plumber', ['recommends']],
    ['We are hiring a plumber, apply now', ['job_offer']],
    ['My plumber fixed the tap today', []],
  ])('%s', async (body, kinds) => {
    const { intent } = await judge(mention(body))
    expect(byLexicon({ intent }).map(({ kind }) => kind)).toEqual(kinds)
    expect(intent.method).toBe(body.startsWith('Alguém') ? 'intent.rules@1' : 'intent.words@1')
    for (const { span, sentence, points } of intent.reasons) {
      expect(points).not.toBe(0)
      if (!span) continue
      const quoted = body.slice(span.start, span.end)
      expect(quoted.trim()).toBe(quoted)
      if (sentence.includes('“')) expect(sentence).toContain(quoted)
    }
  })

  test('counts no complaint about the business itself', async () => {
    const { intent } = await judge(mention('Fed up with Northgate Plumbing, switching from them'))
    expect(intent.reasons).toEqual([])
    expect(intent.score).toBe(0)
  })
})

describe('Sentiment', () => {
  test.each<[body: string, sentiment: string | null]>([
    ['Northgate Plumbing was excellent. The pub was awful.', 'positive'],
    ['Northgate Plumbing was not reliable', 'negative'],
    ['Northgate Plumbing: friendly but overpriced', 'mixed'],
    ['Northgate Plumbing came on Tuesday', null],
    ['A plumber was excellent', null],
  ])('%s: %s', async (body, sentiment) => {
    expect<unknown>((await judge(mention(body))).sentiment).toBe(sentiment)
  })
})

describe('The model', () => {
  test('counts with quotes of the text and not without', async () => {
    const body = 'My boiler is dead and I do not know whom to call, plumber wise'
    const model = modelOf({
      ...nothing,
      relevance: 'relevant',
      relevance_quote: 'my  Boiler is dead',
      sentiment: 'negative',
      sentiment_quote: 'Northgate is awful',
      intents: [
        { kind: 'wants_to_buy', quote: 'do not know whom to call' },
        { kind: 'switching', quote: 'I leave my provider' },
        { kind: 'price_question', quote: 'plumber' },
      ],
    })
    const judged = await judge(mention(body), { model })
    expect(judged.model).toEqual({ state: 'used' })
    expect(judged.relevance_reasons.map(({ kind }) => kind)).toContain('model')
    expect(byLexicon(judged).map(({ kind }) => kind)).toEqual(['wants_to_buy'])
    expect(judged.intent.method).toBe('intent.words@1+llm:test')
    expect(judged.sentiment).toBeNull()
  })

  test.each([
    ['Kestrel Boilers van parked on my street again', 'van parked on my street', false],
    ['My boiler is dead and I do not know whom to call, plumber wise', 'do not know whom to call', true],
  ])(
    'is not believed if the words of the post say otherwise, although the quote is real: %s',
    async (body, quote, isLead) => {
      const model = modelOf({ ...nothing, intents: [{ kind: 'asks_recommendation', quote }] })
      const { intent } = await judge(mention(body), { model, about: { business_name: 'Kestrel Boilers' } })
      expect(intent.reasons.map(({ kind }) => kind)).toContain('asks_recommendation')
      expect(intent.score >= 50).toBe(isLead)
    },
  )

  test('gives nothing that it did not say', async () => {
    const body = 'a plumber in Leeds'
    const judged = await judge(mention(body), { model: modelOf(nothing) })
    expect({ ...judged, model: null }).toEqual({ ...(await judge(mention(body))), model: null })
  })

  test.each(['transient', 'quota', 'permanent'] as const)(
    'that fails (%s) leaves the result of the rules',
    async (kind) => {
      const body = 'Can anyone recommend a plumber in Leeds?'
      const judged = await judge(mention(body), { model: modelOf(new ServiceFault(kind, 'It is down')) })
      expect(judged.model).toEqual({ state: 'failed', kind, message: 'It is down' })
      expect({ ...judged, model: null }).toEqual({ ...(await judge(mention(body))), model: null })
    },
  )

  test('does not hide a fault of the program', async () => {
    await expect(judge(mention('a plumber'), { model: modelOf(new TypeError('a bug')) })).rejects.toThrow(
      'a bug',
    )
  })

  test('gets the notes of the owner, the instruction of the tracker and the post as data', async () => {
    const seen: Seen[] = []
    await judge(mention('a plumber, please'), {
      model: modelOf(nothing, seen),
      about: { manual_notes: 'We do not repair heat pumps.' },
      by: { lead_intent_prompt: 'Only emergencies are leads.' },
    })
    expect(seen[0]?.instructions).toContain('We do not repair heat pumps.')
    expect(seen[0]?.instructions).toContain('Only emergencies are leads.')
    expect(seen[0]?.instructions).toContain('It is in Leeds.')
    expect(seen[0]?.instructions).not.toContain('a plumber, please')
    expect(JSON.stringify(seen[0]?.data)).toContain('a plumber, please')
    await judge(mention('a plumber'), { model: modelOf(nothing, seen), about: { is_online_only: true } })
    expect(seen[1]?.instructions).toContain('the place of the author does not matter')
  })

  test('is not asked about a mention that the rules refuse', async () => {
    const seen: Seen[] = []
    const judged = await judge(mention('x', { url: 'https://northgate.example/' }), {
      model: modelOf(nothing, seen),
    })
    expect([judged.model.state, seen.length]).toEqual(['not_needed', 0])
  })
})

describe('Dismissals', () => {
  const decided = (count: number, body: string, isDismissed: boolean): MentionDecision[] =>
    Array.from({ length: count }, () => ({ body, isDismissed }))
  const decisions = [
    ...decided(9, 'northgate zoo opens for animals', true),
    ...decided(1, 'northgate came to the zoo cafe to repair a tap', false),
    ...decided(8, 'northgate repair of a boiler', false),
  ]

  test('lower the relevance of similar mentions, with a sentence', async () => {
    const body = 'The northgate zoo is open'
    const before = await judge(mention(body))
    const after = await judge(mention(body), { decisions })
    expect(after.relevance_score ?? 0).toBeLessThan(before.relevance_score ?? 0)
    expect(after.relevance_reasons.map(({ sentence }) => sentence)).toContain(
      'You dismissed 9 of 10 mentions with “zoo”.',
    )
    const repair = await judge(mention('northgate repair of a boiler'), { decisions })
    expect(repair.relevance_reasons.some(({ kind }) => kind === 'learned_for')).toBe(true)
  })

  test('suggest words, without those of the tracker and the ignored ones', () => {
    const words = (by: Partial<JudgedTracker> = {}) =>
      suggestedWords(tracker(by), learnFrom(decisions)).map(({ word }) => word)
    expect(words()).toContain('zoo')
    expect(words()).not.toContain('northgate')
    expect(words({ ignored_words: ['zoo'] })).not.toContain('zoo')
    expect(words({ excluded_keywords: ['zoo'] })).not.toContain('zoo')
    expect(suggestedWords(tracker(), learnFrom(decisions)).find(({ word }) => word === 'zoo')?.sentence).toBe(
      'You dismissed 9 of 10 mentions with “zoo”.',
    )
  })

  test('count nothing with ignored words or few decisions', async () => {
    const body = 'The northgate zoo'
    const ignored = await judge(mention(body), { decisions, by: { ignored_words: ['zoo'] } })
    expect(ignored.relevance_reasons.map(({ sentence }) => sentence).join()).not.toContain('zoo')
    const few = await judge(mention(body), { decisions: decisions.slice(0, 2) })
    expect(few.relevance_score).toBe((await judge(mention(body))).relevance_score)
  })

  test('work in scripts without spaces', () => {
    const japanese = learnFrom([
      ...decided(6, '動物園の北門です', true),
      ...decided(6, '北門の配管工', false),
    ])
    const words = suggestedWords(tracker({ keywords: ['北門'] }), japanese).map(({ word }) => word)
    expect(words).toContain('動物')
  })
})
