import {
  type Days,
  dayOf,
  daysOf,
  groups,
  isIn,
  mean,
  median,
  monday,
  plusDays,
  type Row,
  share,
  shortened,
} from './plain'

interface Asked {
  readonly rows: readonly Row[]
  readonly location: Row
  readonly now: Days
  readonly before: Days
  readonly timezone: string
  labelOf(source: string): string
}

const totalsOf = (rows: readonly Row[]): Row => {
  const stars = rows.flatMap((row) => (row.star_rating == null ? [] : [row.star_rating as number]))
  const replied = rows.filter((row) => row.reply_text != null).length
  return {
    reviews: rows.length,
    rated: stars.length,
    average_rating: mean(stars),
    replied,
    response_rate: share(replied, rows.length),
    positive_share: share(stars.filter((one) => one >= 4).length, stars.length),
    negative_share: share(stars.filter((one) => one <= 2).length, stars.length),
  }
}

/** Reviews of the location that its platform still shows, written in these days. */
const writtenIn = ({ rows, location, timezone }: Asked, days: Days): Row[] =>
  rows.filter(
    (row) =>
      row.location_id === location.id &&
      row.removed_at_source_at == null &&
      isIn(row.review_created_at, days, timezone),
  )

const isWhole = (asked: Asked, days: Days) =>
  asked.location.last_full_review_sync_at != null || writtenIn(asked, days).length === 0

/** Days as long as these, right before them. */
const asLongBefore = (days: Days): Days => ({
  from: plusDays(days.from, -daysOf(days).length),
  to: plusDays(days.from, -1),
})
/** Each figure of a period also looks at the time before it. */
const isReadInWhole = (asked: Asked) =>
  [asked.now, asked.before].every((days) => isWhole(asked, { from: asLongBefore(days).from, to: days.to }))

export function reviewsOf(asked: Asked): Row {
  const now = writtenIn(asked, asked.now)
  const before = writtenIn(asked, asked.before)
  const newest = [...now].sort((a, b) => (a.review_created_at > b.review_created_at ? -1 : 1))
  const ofStars = (rows: readonly Row[], stars: number | null) =>
    rows.filter((row) => (row.star_rating ?? null) === stars).length
  const topics = new Map<string, { topic: string; reviews: number; negative: number }>()
  for (const row of newest.slice(0, 1_000))
    for (const topic of new Set<string>(row.key_topics ?? [])) {
      const known = topics.get(topic) ?? { topic, reviews: 0, negative: 0 }
      known.reviews++
      if (row.sentiment === 'negative') known.negative++
      topics.set(topic, known)
    }
  return {
    is_whole: isReadInWhole(asked),
    totals: totalsOf(now),
    previous: totalsOf(before),
    by_rating: [5, 4, 3, 2, 1, null].map((stars) => ({
      stars,
      reviews: ofStars(now, stars),
      previous_reviews: ofStars(before, stars),
    })),
    by_source: [...groups(now, (row) => row.source)]
      .map(([source, own]) => ({
        source: asked.labelOf(source),
        reviews: own.length,
        average_rating: totalsOf(own).average_rating,
      }))
      .sort((a, b) => (a.source < b.source ? -1 : 1)),
    trend: trendOf(asked, now),
    topics: [...topics.values()]
      .sort((a, b) => b.reviews - a.reviews || (a.topic < b.topic ? -1 : 1))
      .slice(0, 10),
    notable: notableOf(asked, newest),
    unanswered: now.filter((row) => row.reply_text == null).length,
  }
}

function trendOf({ now, timezone }: Asked, rows: readonly Row[]): Row[] {
  const days = daysOf(now)
  const unit = days.length <= 35 ? 'day' : days.length <= 183 ? 'week' : 'month'
  const startOf = (day: string) => {
    const start = unit === 'day' ? day : unit === 'week' ? monday(day) : `${day.slice(0, 7)}-01`
    return [start, now.from].sort()[1] as string
  }
  return [...new Set(days.map(startOf))].map((from) => {
    const own = rows.filter((row) => startOf(dayOf(row.review_created_at, timezone)) === from)
    return { from, reviews: own.length, average_rating: totalsOf(own).average_rating }
  })
}

function notableOf(asked: Asked, newest: readonly Row[]): Row[] {
  const read = newest.slice(0, 200).filter((row) => (row.review_text ?? '').trim() !== '')
  const longest = (matches: (stars: number) => boolean) =>
    read
      .filter((row) => typeof row.star_rating === 'number' && matches(row.star_rating))
      .sort((a, b) => b.review_text.length - a.review_text.length)
      .slice(0, 2)
  return [...longest((stars) => stars <= 3), ...longest((stars) => stars >= 4)].map((row) => ({
    text: shortened(row.review_text, 400),
    source: asked.labelOf(row.source),
    at: row.review_created_at,
    author: row.reviewer_name,
    stars: row.star_rating,
    lang: row.review_language,
  }))
}

export function responsesOf(asked: Asked): Row | undefined {
  const now = writtenIn(asked, asked.now)
  const before = writtenIn(asked, asked.before)
  if (now.length === 0) return undefined
  const whole = isReadInWhole(asked)
  return {
    rate: totalsOf(now).response_rate,
    previous_rate: whole ? totalsOf(before).response_rate : null,
    median_hours: hoursOf(now),
    previous_median_hours: whole ? hoursOf(before) : null,
    answered: totalsOf(now).replied,
  }
}

const hoursOf = (rows: readonly Row[]): number | null => {
  const hours = median(
    rows
      .filter((row) => row.reply_created_at != null)
      .map((row) => (Date.parse(row.reply_created_at) - Date.parse(row.review_created_at)) / 3_600_000)
      .filter((one) => one >= 0),
  )
  return hours === null ? null : Math.round(hours * 100) / 100
}
