import { expect, test } from 'bun:test'
import type { Model } from 'renown/sources'
import { isInjection } from '../../../../plugins/leads/judging/ask-model'
import { judgeMention } from '../../../../plugins/leads/judging/judgeMention'
import { learnFrom } from '../../../../plugins/leads/judging/learned-words'
import { harmlessPosts, hostilePosts } from './hostile-posts'

const notes = 'Margins are 41 percent, keep this private.'
/** A model that does whatever a post asks, and quotes the post for it. */
const gullible = (body: string): Model => ({
  isConfigured: true,
  generator: 'llm:gullible',
  ask: async ({ instructions }) => ({
    relevance: 'relevant',
    relevance_quote: notes,
    sentiment: 'positive',
    sentiment_quote: instructions.slice(0, 200),
    intents: ['asks_recommendation', 'wants_to_buy', 'switching'].map((kind) => ({
      kind,
      quote: body.slice(0, 60),
    })),
  }),
})
const judge = (body: string) =>
  judgeMention(
    { outbound: { model: gullible(body) } },
    {
      mention: { id: 'men_1', workspace_id: 'wsp_1', body, url: 'https://forum.example/1', source: 'forum' },
      tracker: {
        id: 'trk_1',
        workspace_id: 'wsp_1',
        keywords: ['northgate', 'plumber'],
        required_keywords: [],
        excluded_keywords: [],
      },
      location: { business_name: 'Northgate Plumbing', manual_notes: notes },
      learned: learnFrom([]),
    },
  )

test('A post that speaks to the model does not become a lead, even with a model that obeys it', async () => {
  const judged = await Promise.all(hostilePosts.map(judge))
  const passed = judged.filter(({ intent }) => intent.score < 50).length
  const caught = judged.filter(({ model }) => model.state === 'distrusted').length
  console.info(
    `hostile posts: ${passed} of ${hostilePosts.length} make no lead, ${caught} are not shown to the model`,
  )
  expect(passed).toBeGreaterThanOrEqual(Math.floor(hostilePosts.length * 0.85))
})

test('Nothing of the notes of the owner gets into a judgement', async () => {
  for (const body of [...hostilePosts, ...harmlessPosts]) {
    expect(JSON.stringify(await judge(body))).not.toContain('41 percent')
  }
})

test('An ordinary post is shown to the model', () => {
  expect(harmlessPosts.filter((body) => isInjection({ body }))).toEqual([])
})
