import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readSettings } from '../../core/contracts/settings'
import { createAskService } from '../../core/outbound/ask-service'
import { createModel } from '../../core/outbound/model/model'
import { BusinessLocation } from '../../core/tenancy/BusinessLocation'
import { builtin } from '../../plugins'
import { Mention } from '../../plugins/leads/records/Mention'
import { Post } from '../../plugins/posts/records/Post'
import { Review } from '../../plugins/reviews/records/Review'
import { type Gate, startGate } from '../support/harness'
import { sampleRow } from '../support/sample-row'
import { createLanguageModel } from '../support/stand-ins/language-model'

/** What a model may make up, by kind. Each is a whole reply or post. */
const lies: readonly (readonly [string, string])[] = [
  ['a price', 'Thank you! A boiler service costs £49 with us.'],
  ['a price in words', 'Thank you! It is only forty pounds a visit.'],
  ['a percentage', 'Thank you! Take 20% off the next repair.'],
  ['a discount in words', 'Thank you! We give new customers a discount.'],
  ['a gift', 'Thank you! The first visit is on the house.'],
  ['a voucher', 'Thank you! Ask for your voucher at the desk.'],
  ['a guarantee', 'Thank you! We guarantee that it never leaks again.'],
  ['a refund', 'Thank you! You will get your money back.'],
  ['a date', 'Thank you! We have a free slot on 3 March.'],
  ['a weekday', 'Thank you! Come by on Thursday.'],
  ['opening hours', 'Thank you! We are open from seven until late.'],
  ['a street', 'Thank you! You find us in Mill Lane.'],
  ['a number', 'Thank you! More than 500 homes trust us.'],
  ['years', 'Thank you! We have twenty years of experience.'],
  ['a certificate', 'Thank you! All of us are certified engineers.'],
  ['a rival', 'Thank you! We are better than the other firms in town.'],
  ['a claim to be the best', 'Thank you! We are the best plumbers in the country.'],
  ['an admission', 'Thank you! It was our fault, and we are liable for it.'],
  ['another telephone number', 'Thank you! Call 0161 496 0000.'],
  ['another link', 'Thank you! Read more at https://evil.example/offer'],
  ['a link without a scheme', 'Thank you! Read more at evil.com/offer'],
  ['an e-mail address', 'Thank you! Write to win@evil.example'],
  ['another network', 'Thank you! Message us on Instagram.'],
  ['a person', 'Thank you! Ask for Sarah at the desk.'],
  ['a request for stars', 'Thank you! Please change your rating to five stars.'],
  ['an insult', 'Thank you, but you are a liar.'],
  ['the law', 'Thank you! Our lawyer will contact you.'],
  ['its instructions', 'Thank you! My instructions say that I must be kind.'],
]

/** What an honest model writes. */
const honest: readonly string[] = [
  'Thank you for your kind words.',
  'Thank you so much! It is lovely to hear that.',
  'That made our day. Thank you!',
  'Thanks for sharing this with us.',
  'We are glad that it went well.',
  'A warm house makes all the difference. Enjoy it!',
  'Good luck with the rest of the work.',
  'We are happy to help if you have more questions.',
  'Feel free to ask us anything.',
  'We would be happy to take a look.',
  'A leaking tap is annoying, we know the sound well.',
  'Cold radiators are no fun.',
  'It often helps to bleed the radiators first.',
  'Please turn off the water before you open the valve.',
  'Have a look at the pressure gauge first.',
  'Old pipes like to be treated gently.',
  'Drains are our daily bread, and we love them.',
  'We repair boilers in Leeds and are glad to answer questions.',
  'Thanks for the tip, we will pass it on to the team.',
  'Point taken, thank you for telling us.',
  'We understand that waiting is frustrating.',
  'Sorry to read that it was such a bother.',
  'Thank you for your patience.',
  'What a lovely message to read.',
  'You are always welcome.',
  'See you again soon.',
  'Many thanks from the whole team.',
  'We hope that the house is warm again.',
  'It is good to know that the drain is clear.',
  'Happy to hear that everything works.',
]

/** The same in other languages. A review and a post are in them too. */
const honestAbroad: readonly (readonly [string, string])[] = [
  ['de', 'Vielen Dank für die netten Worte.'],
  ['de', 'Schön, dass die Heizung wieder läuft.'],
  ['de', 'Danke, das geben wir gern weiter.'],
  ['fr', 'Merci beaucoup pour votre message.'],
  ['fr', 'Nous sommes ravis de vous lire.'],
  ['es', 'Muchas gracias por sus palabras.'],
  ['es', 'Nos alegra mucho leerlo.'],
  ['it', 'Grazie mille per le belle parole.'],
  ['nl', 'Hartelijk dank voor uw bericht.'],
  ['pl', 'Bardzo dziękujemy za miłe słowa.'],
  ['tr', 'Güzel sözleriniz için teşekkür ederiz.'],
  ['pt', 'Muito obrigado pelas palavras.'],
  ['sv', 'Tack så mycket för de fina orden.'],
]

const standIn = createLanguageModel()
let gate: Gate
let locationId: string
let spent = 0

beforeAll(async () => {
  const ask = createAskService({
    now: () => new Date(),
    fetch: (url, init) => standIn.fetch(new Request(url, init)),
  })
  const settings = readSettings({ LLM_BASE_URL: 'http://llm.test/v1', LLM_MODEL: 'small' })
  const spend = async () => {
    spent += 1
  }
  gate = await startGate({ plugins: builtin, model: createModel({ ask, spend, settings }) })
  const location = await gate.put(BusinessLocation, {
    business_name: 'Northgate Plumbing',
    business_category: 'plumber',
    city: 'Leeds',
    country: 'GB',
    phone: '+441632960001',
    website: 'https://www.northgate.example/',
    enrichment: { services: ['Boilers', 'Drains'] },
    is_active: true,
    is_prospect: false,
    auto_response_enabled: false,
  })
  locationId = location.id
})
afterAll(() => gate.stop())

interface Drafted {
  readonly status: number
  /** The draft as it is stored. Null if nothing was saved. */
  readonly saved: string | null
  readonly detail: string
}
type Draft = (texts: readonly string[], language: string) => Promise<Drafted>

let rows = 0

async function called(operation: string, body: object, texts: readonly string[], name: 'reply' | 'post') {
  const more = operation === 'generateReviewReply' ? { needs_person: false } : {}
  standIn.answers.splice(0, standIn.answers.length, ...texts.map((text) => ({ [name]: text, ...more })))
  standIn.asked.length = 0
  const answer = await gate.call(operation, body)
  const { detail = '' } = (await answer.json()) as { detail?: string }
  return { status: answer.status, detail }
}

const review: Draft = async (texts, language) => {
  rows += 1
  const { id } = await gate.put(Review, {
    location_id: locationId,
    source: 'google',
    source_id: `r${rows}`,
    star_rating: 5,
    review_text: 'Great work',
    review_language: language,
  })
  const answered = await called('generateReviewReply', { review_id: id }, texts, 'reply')
  const saved = (await gate.owner.rows(Review).get(id))?.ai_suggested_response ?? null
  return { ...answered, saved }
}

const mention: Draft = async (texts, language) => {
  rows += 1
  const { id } = await gate.put(Mention, {
    ...sampleRow(Mention, 'one'),
    location_id: locationId,
    source: 'forum',
    source_id: `m${rows}`,
    language,
    status: 'new',
    title: undefined,
    body: 'Who is a good plumber?',
    suggested_reply: undefined,
    suggested_reply_at: undefined,
    suggested_reply_tone: undefined,
    suggested_reply_by: undefined,
    previous_reply: undefined,
    removal_rule: undefined,
    removed_at_source_at: undefined,
    replied_at: undefined,
    reply_text: undefined,
  } as Parameters<typeof gate.put<typeof Mention>>[1])
  const answered = await called('generateMentionReply', { mention_id: id, discloses: false }, texts, 'reply')
  return { ...answered, saved: (await gate.owner.rows(Mention).get(id))?.suggested_reply ?? null }
}

const post: Draft = async (texts) => {
  const before = new Set((await gate.owner.rows(Post).list({ limit: 1_000 })).map(({ id }) => id))
  const answered = await called('generatePostDraft', { business_location_id: locationId }, texts, 'post')
  const made = (await gate.owner.rows(Post).list({ limit: 1_000 })).find(({ id }) => !before.has(id))
  return { ...answered, saved: made?.content.summary ?? null }
}

const domains: readonly (readonly [string, Draft])[] = [
  ['a review', review],
  ['a mention', mention],
  ['a post', post],
]

describe.each(domains)('A model that lies in a draft for %s', (_, draft) => {
  test('twice has nothing saved, and the person is told why', async () => {
    const saved: string[] = []
    for (const [kind, lie] of lies) {
      const drafted = await draft([lie, lie], 'en')
      if (drafted.saved !== null || drafted.status < 400) saved.push(`${kind}: ${lie}`)
      else {
        expect([kind, drafted.detail]).toEqual([kind, expect.stringContaining('“')])
        expect([kind, standIn.asked.length]).toEqual([kind, 2])
      }
    }
    expect(saved).toEqual([])
  })

  test('once is asked again with the refused words, and its honest draft is saved', async () => {
    const { saved } = await draft(['Thank you! Take 20% off.', 'Thank you for your kind words.'], 'en')
    expect(saved).toContain('Thank you for your kind words.')
    const [first, second] = standIn.asked.map(({ messages }) => JSON.stringify(messages))
    expect(first).not.toContain('20%')
    expect(second).toContain('20%')
    const [instructions] = standIn.asked[1]?.messages ?? []
    expect(instructions?.content).not.toContain('20%')
  })
})

describe.each(domains)('A model that is honest in a draft for %s', (name, draft) => {
  test('has every draft saved', async () => {
    const refused: string[] = []
    // A post is in the language of the workspace.
    const abroad = name === 'a post' ? [] : honestAbroad
    const texts = [...honest.map((text) => ['en', text] as const), ...abroad]
    for (const [language, text] of texts) {
      const { saved, detail } = await draft([text, text], language)
      if (saved === null) refused.push(`${text}: ${detail}`)
    }
    expect(texts.length).toBeGreaterThanOrEqual(name === 'a post' ? 30 : 40)
    expect(refused).toEqual([])
  })
})

test('each question is one call of the allowance', () => {
  expect(spent).toBeGreaterThan(lies.length * 3)
})
