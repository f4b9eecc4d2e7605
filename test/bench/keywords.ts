import { buildMatcher, type MatchedTracker, type Post } from '../../plugins/leads/keywords/matcher'
import { draw } from '../support/drawn'

const rounds = 7
const trackerCount = 1_000
const postCount = 3_000

/** Microseconds of processor time per post for 1,000 trackers at once, beside reading its characters. */
export function run(): void {
  const trackers = Array.from({ length: trackerCount }, (_, n) => trackerOf(n))
  const posts = Array.from({ length: postCount }, (_, n) => postOf(n))
  const before = performance.now()
  const matcher = buildMatcher(trackers)
  console.log(
    `${trackerCount} trackers, ${matcher.states.toLocaleString('en')} states, built in ${Math.round(performance.now() - before)} ms`,
  )
  let sum = 0
  const floor = microsecondsFor(() => {
    for (const { body } of posts) for (let at = 0; at < body.length; at++) sum += body.charCodeAt(at)
  })
  let matches = 0
  const cost = microsecondsFor(() => {
    matches = 0
    for (const post of posts) matches += matcher.match(post).length
  })
  const characters = posts.reduce((total, { body }) => total + body.length, 0) / posts.length
  console.log(
    `  ${posts.length} posts of ${Math.round(characters)} characters, ${matches} matches (${sum % 2})`,
  )
  console.log(`  reading the characters ${floor.toFixed(2)} µs a post`)
  console.log(
    `  matching               ${cost.toFixed(1)} µs a post, ${(cost / floor).toFixed(0)} × the floor (at most 150 µs)`,
  )
}

/** Microseconds of processor time per post, the best of several rounds. */
function microsecondsFor(work: () => void): number {
  let best = Number.POSITIVE_INFINITY
  for (let round = 0; round < rounds; round++) {
    const before = process.cpuUsage()
    work()
    const { user, system } = process.cpuUsage(before)
    best = Math.min(best, user + system)
  }
  return best / postCount
}

const syllables = [
  'nor',
  'ga',
  'te',
  'blu',
  'bot',
  'tle',
  'mar',
  'lin',
  'pho',
  'ke',
  'dra',
  'son',
  'vi',
  'ter',
  'ox',
]
const trades = [
  'plumber',
  'dentist',
  'bakery',
  'roofing',
  'lawyer',
  'florist',
  'garage',
  'hotel',
  'café',
  '歯科',
]
const cities = ['leeds', 'berlin', 'madrid', 'lyon', 'torino', 'utrecht', 'porto', 'austin', '東京', 'perth']
const filler =
  'yesterday we went to see whether the people in town could help us with it because nobody else had time and the weather was bad again so'.split(
    ' ',
  )
const pick = <T>(list: readonly T[], n: number, salt: number) =>
  list[Math.floor(draw(n, salt) * list.length)] as T
const nameOf = (n: number) => [1, 2, 3].map((salt) => pick(syllables, n, salt)).join('') + (n % 97)

function trackerOf(n: number): MatchedTracker {
  const trade = pick(trades, n, 5)
  const city = pick(cities, n, 6)
  return {
    id: `trk_${n}`,
    keywords: [
      nameOf(n),
      `"${nameOf(n)} ${trade}"`,
      `${trade} NEAR/4 ${city}`,
      `(recommend OR suggest) ${trade} ${city}`,
    ],
    required_keywords: [],
    excluded_keywords: ['zoo', '"job offer"'],
    languages: [],
  }
}

function postOf(n: number): Post {
  const words = Array.from({ length: 50 }, (_, at) => pick(filler, n * 64 + at, 7))
  if (n % 3 === 0) words[10] = nameOf(n % trackerCount)
  if (n % 5 === 0) words.splice(20, 2, pick(trades, n, 8), pick(cities, n, 9))
  return { body: words.join(' ') }
}
