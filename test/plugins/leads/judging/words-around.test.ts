import { describe, expect, test } from 'bun:test'
import { mentionLanguage } from '../../../../plugins/leads/judging/features/read-mention'
import { wordsOf } from '../../../../plugins/leads/judging/features/read-text'
import { judgeMention, unmeasuredReason } from '../../../../plugins/leads/judging/judgeMention'
import type { JudgedLocation } from '../../../../plugins/leads/judging/judgement'
import { learnFrom } from '../../../../plugins/leads/judging/learned-words'
import { intentCases, type LabelledText, relevanceCases } from '../../../support/judges/examples'

const noModel = {
  isConfigured: false,
  generator: 'llm:' as const,
  ask: () => Promise.reject(new Error('not configured')),
}
const judge = (body: string, location: JudgedLocation, more: { title?: string; language?: string } = {}) =>
  judgeMention(
    { outbound: { model: noModel } },
    {
      mention: {
        id: 'men_1',
        workspace_id: 'wsp_1',
        body,
        url: 'https://forum.example/1',
        source: 'forum',
        ...more,
      },
      tracker: {
        id: 'trk_1',
        workspace_id: 'wsp_1',
        keywords: [`"${location.business_name}"`],
        required_keywords: [],
        excluded_keywords: [],
      },
      location,
      learned: learnFrom([]),
    },
  )
const shareOf = async (texts: readonly LabelledText[], isFound: (text: LabelledText) => Promise<boolean>) => {
  const found = await Promise.all(texts.map(isFound))
  const right = texts.filter(({ isYes }, n) => isYes && found[n]).length
  return {
    precision: right / found.filter(Boolean).length,
    recall: right / texts.filter(({ isYes }) => isYes).length,
  }
}
const isRelevant = async ({ text, location }: LabelledText) =>
  (await judge(text, location)).relevance === 'relevant'
const isLead = async ({ text, location }: LabelledText) => (await judge(text, location)).intent.score >= 50

describe('a name that is also a common word', () => {
  const juniper = { business_name: 'Juniper', business_category: 'dog groomer', city: 'Sheffield' }

  test.each([
    ['Booked our poodle in at Juniper, lovely staff', 'relevant'],
    ['a slice of lime and a juniper berry in the glass', 'irrelevant'],
    ['Juniper Networks shares fell 3 percent', 'irrelevant'],
    ['Our daughter is called Juniper', 'irrelevant'],
  ])('%s: %s', async (body, relevance) => {
    expect<unknown>((await judge(body, juniper)).relevance).toBe(relevance)
  })

  test.each(['relevance', 'plain-relevance'] as const)(
    'is understood by the words around it: %s',
    async (name) => {
      const { precision, recall } = await shareOf(relevanceCases(name), isRelevant)
      expect(precision).toBeGreaterThan(0.92)
      expect(recall).toBeGreaterThan(0.8)
    },
  )

  test('gives reasons whose quotes stand in the post, and whose points add up to the score', async () => {
    for (const { text, location } of [...relevanceCases('relevance'), ...relevanceCases('plain-relevance')]) {
      const judged = await judge(text, location)
      const sum = judged.relevance_reasons.reduce((points, reason) => points + reason.points, 50)
      expect([text, judged.relevance_score]).toEqual([text, Math.max(0, Math.min(100, sum))])
      for (const { span, sentence } of [...judged.relevance_reasons, ...judged.intent.reasons]) {
        if (!span) continue
        const quoted = text.slice(span.start, span.end).replace(/\s+/g, ' ')
        if (sentence.includes('“') && quoted.length <= 120) expect(sentence).toContain(quoted)
      }
    }
  })

  test('is found in the title, and quoted from there', async () => {
    const judged = await judge('Two hours late and no apology.', juniper, {
      title: 'Dropped the dog at Juniper',
    })
    const inTitle = judged.relevance_reasons.filter(({ span }) => span?.field === 'title')
    expect(inTitle.length).toBeGreaterThan(0)
    for (const { span } of inTitle) expect(span?.end).toBeLessThanOrEqual('Dropped the dog at Juniper'.length)
  })

  test('is not judged in a language without measured figures', async () => {
    const judged = await judge('A Juniper fechou a loja e não devolveu o dinheiro da minha mãe', juniper)
    expect([judged.relevance, judged.relevance_score, judged.relevance_reason]).toEqual([
      null,
      null,
      unmeasuredReason,
    ])
    const plain = await judge('A Kestrel Boilers fechou a loja e não devolveu o dinheiro', {
      business_name: 'Kestrel Boilers',
      business_category: 'Plumber',
    })
    expect(plain.relevance).toBe('relevant')
  })
})

describe('the writer of a post', () => {
  test.each(['intent', 'plain-intent'] as const)('may become a customer: %s', async (name) => {
    const { precision, recall } = await shareOf(intentCases(name), isLead)
    expect(precision).toBeGreaterThan(0.85)
    expect(recall).toBeGreaterThan(0.74)
  })
})

describe('the language of a post', () => {
  test.each<[text: string, tag: string | undefined, language: string | null]>([
    ['Wer kennt einen guten Klempner?', undefined, 'de'],
    ['Zucca', 'it', 'it'],
    ['Zucca', undefined, 'en'],
    ['Quem conhece um bom encanador aqui no bairro?', undefined, null],
    ['Best tacos', 'tl', 'en'],
    ['kahve molası, temiz tuvalet arayışı', undefined, 'tr'],
    ['Jaskółki, żaby i łąki', undefined, 'pl'],
    ['Verkaufe Trainingsjacke, Größe M', undefined, 'de'],
    ['東京の水道屋さん', undefined, null],
    ['Маяк!', undefined, 'ru'],
    ['!!!', undefined, null],
  ])('%s (%s): %s', (text, tag, language) => {
    expect<unknown>(mentionLanguage(wordsOf(text), tag, text)).toBe(language)
  })
})

test('judging a post costs little', async () => {
  const texts = [...relevanceCases('relevance'), ...relevanceCases('plain-relevance')]
  const before = process.cpuUsage()
  for (const { text, location } of texts) await judge(text, location)
  const { user, system } = process.cpuUsage(before)
  expect((user + system) / 1_000 / texts.length).toBeLessThan(5)
})
