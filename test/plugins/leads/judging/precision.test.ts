import { expect, test } from 'bun:test'
import type { Model } from 'renown/sources'
import { judgeMention } from '../../../../plugins/leads/judging/judgeMention'
import { learnFrom } from '../../../../plugins/leads/judging/learned-words'
import { buildMatcher } from '../../../../plugins/leads/keywords/matcher'
import { draw } from '../../../support/drawn'

const noModel: Model = {
  isConfigured: false,
  generator: 'llm:',
  ask: () => Promise.reject(new Error('not configured')),
}
/** A tracker as a newcomer writes it: the name and what people call the trade. */
const tracker = {
  id: 'trk_1',
  workspace_id: 'wsp_1',
  keywords: ['"Blue Bottle"', 'plumber leeds', 'boiler repair leeds'],
  required_keywords: [],
  excluded_keywords: [],
  languages: [],
}
const location = { business_name: 'Blue Bottle', business_category: 'Plumber', city: 'Leeds' }

const about = [
  'Blue Bottle came out on {day} and fixed the tap, {feel}.',
  'Does anyone know a plumber in Leeds who works on {day}? {feel}',
  'Boiler repair in Leeds: who do you use? Ours broke on {day}.',
  'Has anybody tried blue bottle for heating in Leeds? {feel}',
  'The plumber from Leeds, Blue Bottle, never called back on {day}.',
]
const other = [
  'I put the flowers in a blue glass bottle on {day}, {feel}.',
  'Our plumber in York came on {day}. {feel}',
  'A leeds fan since 1990, the match on {day} was {feel}.',
  'New boiler suit arrived on {day}, repair kit included.',
  'Recipe: take one bottle of blue curacao, mix on {day}.',
  'The train to Leeds was late on {day}, {feel}.',
  'Learning to be a plumber is {feel}, starting {day}.',
  'My blue car needs a repair on {day}.',
]
/** They match, and are about something else. */
const confusing = [
  'Blue bottle flies everywhere since {day}, how do you get rid of insects? {feel}',
  'I read a novel about a plumber; the author grew up in Leeds. {feel}',
]
const days = ['Monday', 'Tuesday', 'Friday', 'Sunday', 'the weekend']
const feels = ['great', 'not bad', 'terrible', 'quite all right', 'so tired', 'lol', 'please help']

interface DrawnPost {
  readonly body: string
  readonly isAbout: boolean
}
const pick = <T>(list: readonly T[], n: number, salt: number): T =>
  list[Math.floor(draw(n, salt) * list.length)] as T
function postOf(n: number): DrawnPost {
  const chance = draw(n, 1)
  const [texts, isAbout] = chance < 0.05 ? [about, true] : chance < 0.06 ? [confusing, false] : [other, false]
  const said = pick(texts as readonly string[], n, 2)
    .replace('{day}', pick(days, n, 3))
    .replace('{feel}', pick(feels, n, 4))
  const shaped = draw(n, 5) < 0.2 ? said.toUpperCase() : draw(n, 5) < 0.3 ? said.replaceAll(' ', '  ') : said
  return {
    body: `${pick(['', 'hi all, ', 'Quick one: ', 'Hallo! '], n, 6)}${shaped}`,
    isAbout: isAbout as boolean,
  }
}

test('A plain tracker finds what it should among 10,000 posts', async () => {
  const matcher = buildMatcher([tracker])
  const posts = Array.from({ length: 10_000 }, (_, n) => postOf(n))
  const matched = posts.filter((post) => matcher.match(post).length > 0)
  const learned = learnFrom([])
  const judged = await Promise.all(
    matched.map(async (post) => {
      const mention = {
        id: 'men_1',
        workspace_id: 'wsp_1',
        url: 'https://forum.example/1',
        source: 'forum',
        body: post.body,
      }
      const { relevance } = await judgeMention(
        { outbound: { model: noModel } },
        { mention, tracker, location, learned },
      )
      return { post, isShown: relevance !== 'irrelevant' }
    }),
  )
  const wanted = posts.filter(({ isAbout }) => isAbout).length
  const right = matched.filter(({ isAbout }) => isAbout).length
  const shown = judged.filter(({ isShown }) => isShown)
  const shownRight = shown.filter(({ post }) => post.isAbout).length
  const percent = (part: number, all: number) => `${((100 * part) / all).toFixed(1)} %`
  console.info(
    `keywords: precision ${percent(right, matched.length)}, recall ${percent(right, wanted)}; ` +
      `with relevance: precision ${percent(shownRight, shown.length)}, recall ${percent(shownRight, wanted)} of ${wanted} posts`,
  )
  // The posts are the same in every run, so these are exact, with room for changes of the rules.
  expect(wanted).toBeGreaterThan(400)
  expect(right / wanted).toBeGreaterThan(0.95)
  expect(right / matched.length).toBeGreaterThan(0.7)
  expect(shownRight / shown.length).toBeGreaterThan(0.7)
})
