/** @jsxImportSource renown/web */
import {
  Card,
  Downloads,
  differenceWords,
  Evidence,
  formatDay,
  formatNumber,
  Head,
  type PageProps,
  Quote,
} from 'renown/web'
import { type OverviewData, spans, type Theme } from './overview-page'
import { RatingLine } from './rating-line'
import { Stars } from './stars'
import { Subnav } from './subnav'

const path = '/app/reviews/overview'

/** Shows five figures, the rating over time, and the themes of reviews. */
export default function OverviewPage({ data }: PageProps<OverviewData>) {
  const { analytics, days, themes } = data
  const { period, trend } = analytics
  return (
    <>
      <Head title="Review overview">
        {`${formatDay(period.date_from)} to ${formatDay(period.date_to)}, compared with the ${days} days before.`}
      </Head>
      <Subnav path={path} />
      <nav class="segments" aria-label="Period">
        {spans.map((span) => (
          <a key={span} href={`${path}?days=${span}`} aria-current={span === days ? 'true' : undefined}>
            {`${span} days`}
          </a>
        ))}
      </nav>
      <Numbers data={data} />
      <Card title="Rating over time">
        <RatingLine points={trend.points} />
      </Card>
      <Card title="Distribution">
        <Distribution data={data} />
      </Card>
      <Card
        title="Themes"
        about={`Counted over ${formatNumber(analytics.topics.sample)} reviews, the newest of the period.`}
      >
        {themes.length === 0 ? (
          <p class="hint">No themes yet.</p>
        ) : (
          themes.map((one) => <About key={one.topic} of={one} />)
        )}
      </Card>
      <p>
        <Downloads of="reviews/overview" query={`days=${days}`} label="these figures" />
      </p>
    </>
  )
}

function Numbers({ data }: { readonly data: OverviewData }) {
  const { analytics, waiting, reply_hours, reply_sample, changes } = data
  const { totals } = analytics
  const rate = totals.response_rate
  return (
    <dl class="figures5">
      <Figure label="Rating" value={totals.average_rating?.toFixed(2) ?? '–'}>
        {differenceWords(changes.rating, 'stars').text}
      </Figure>
      <Figure label="Reviews" value={formatNumber(totals.reviews)}>
        {differenceWords(changes.reviews, 'count').text}
      </Figure>
      <Figure label="Waiting now" value={formatNumber(waiting)}>
        <a href="/app/reviews?needs=1">Answer them</a>
      </Figure>
      <Figure label="Reply rate" value={rate.rate === null ? '–' : `${Math.round(rate.rate * 100)} %`}>
        <Evidence
          figure={`${formatNumber(rate.k)} of ${formatNumber(rate.n)}`}
          label="the reply rate"
          definition="Share of the period's reviews that have a reply now."
          facts={[
            ['With a reply', formatNumber(rate.k)],
            ['Reviews', formatNumber(rate.n)],
          ]}
          href="/app/reviews?state=answered"
        />
      </Figure>
      <Figure label="Median reply time" value={reply_hours === null ? '–' : lengthOf(reply_hours)}>
        {`over ${formatNumber(reply_sample)} replies`}
      </Figure>
    </dl>
  )
}

function Figure({
  label,
  value,
  children,
}: {
  readonly label: string
  readonly value: string
  readonly children?: unknown
}) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        <span class="big">{value}</span>
        <div class="hint">{children as string}</div>
      </dd>
    </div>
  )
}

function Distribution({ data: { analytics } }: { readonly data: OverviewData }) {
  const { by_rating, period, totals } = analytics
  const query = { from: period.date_from, to: period.date_to }
  return (
    <ul class="bars5">
      {by_rating.map(({ stars, reviews }) => (
        <li key={stars ?? 0}>
          <a
            href={`/app/reviews?${new URLSearchParams({ rating: stars === null ? 'none' : String(stars), ...query })}`}
          >
            <Stars stars={stars} />
            <meter min="0" max={String(Math.max(1, totals.reviews))} value={String(reviews)}>
              {String(reviews)}
            </meter>
            <span class="much">{formatNumber(reviews)}</span>
          </a>
        </li>
      ))}
    </ul>
  )
}

function About({ of: { topic, reviews, negative, quote } }: { readonly of: Theme }) {
  return (
    <div>
      <p>
        <a href={`/app/reviews?${new URLSearchParams({ theme: topic })}`}>
          <bdi>{topic}</bdi>
        </a>{' '}
        <span class="hint">{`${formatNumber(reviews)} reviews, ${formatNumber(negative)} negative`}</span>
      </p>
      {quote && <Quote text={quote.text} lang={quote.language ?? undefined} by={quote.by ?? undefined} />}
    </div>
  )
}

const lengthOf = (hours: number) =>
  hours < 1
    ? `${Math.round(hours * 60)} min`
    : hours < 48
      ? `${Math.round(hours)} h`
      : `${Math.round(hours / 24)} days`
