/** @jsxImportSource renown/web */
import {
  ButtonLink,
  Downloads,
  Empty,
  Filters,
  formatNumber,
  Head,
  ListDetail,
  Moment,
  Notice,
  type PageProps,
  StateWord,
  Toast,
} from 'renown/web'
import type { ListedLine, ReviewsData } from './loadReviews'
import { ReviewDetail } from './review-detail'
import { type ReviewListFilters, ratings, searchOf, sorts, states } from './review-filters'
import { Stars } from './stars'
import { Subnav } from './subnav'

const path = '/app/reviews'

/** Shows every review of the workspace: the list on the left, one review with its reply on the right. */
export default function ReviewsPage(props: PageProps<ReviewsData>) {
  const { data, isBusy } = props
  const { asked, lines, waiting } = data
  const to = (changes: Partial<ReviewListFilters>) => {
    const search = searchOf(asked, changes)
    return search === '' ? path : `${path}?${search}`
  }
  return (
    <>
      <Head title="Reviews">
        {waiting === 0 ? 'No review waits for a reply.' : `${formatNumber(waiting)} waiting for a reply.`}
      </Head>
      <div class="above-list">
        <Subnav path={path} />
      </div>
      {props.notice !== null && <Toast text={props.notice} />}
      <Ignored of={data.ignored} />
      <Doubts of={data.doubts} />
      {!data.has_any && !data.review ? (
        <Empty
          text={
            data.may_connect
              ? 'No reviews yet. Connect a Google profile or a Facebook Page, and Renown reads them automatically.'
              : 'No reviews yet. Ask an owner to connect a Google profile or a Facebook Page.'
          }
          action={
            data.may_connect && (
              <ButtonLink href="/app/settings/connections" kind="primary">
                Connect an account
              </ButtonLink>
            )
          }
          sample={<Line of={sample} />}
        />
      ) : (
        <div class={isBusy ? 'stack busy' : 'stack'} aria-busy={isBusy ? 'true' : undefined}>
          <div class="above-list">
            <ReviewFilters data={data} />
          </div>
          {lines.length === 0 && <NoneFound data={data} />}
          {lines.length === 0 && data.review && <ReviewDetail {...props} of={data.review} />}
          <ListDetail
            label="Reviews"
            rows={lines.map((line) => ({
              id: line.id,
              href: to({ review: line.id, after: asked.after }),
              children: <Line of={line} />,
            }))}
            selectedId={data.review?.id ?? null}
            backHref={to({ review: '' })}
            detail={data.review ? <ReviewDetail {...props} of={data.review} /> : undefined}
            foot={<Pager data={data} to={to} />}
          />
        </div>
      )}
    </>
  )
}

function ReviewFilters({ data: { asked, locations, sources, choices } }: { readonly data: ReviewsData }) {
  return (
    <Filters
      action={path}
      label="Filter reviews"
      filters={[
        { name: 'q', label: 'Search', value: asked.q, isSearch: true },
        { name: 'needs', label: 'Reply', value: asked.needs ? '1' : '', options: [['1', 'Needs a reply']] },
        { name: 'rating', label: 'Rating', value: asked.rating, options: ratings },
        {
          name: 'sort',
          label: 'Order',
          value: asked.sort === 'newest' ? '' : asked.sort,
          options: sorts.slice(1),
          none: 'Newest first',
        },
      ]}
      more={[
        ...(locations.length > 1
          ? [{ name: 'location', label: 'Location', value: asked.location, options: locations }]
          : []),
        { name: 'source', label: 'Source', value: asked.source, options: sources },
        { name: 'state', label: 'State', value: asked.state, options: states },
        { name: 'language', label: 'Language', value: asked.language, options: choices.languages },
        { name: 'theme', label: 'Theme', value: asked.theme, options: choices.themes },
        { name: 'from', label: 'From day', value: asked.from, isDay: true },
        { name: 'to', label: 'To day', value: asked.to, isDay: true },
      ]}
    />
  )
}

function Line({ of: line }: { readonly of: ListedLine }) {
  return (
    <>
      <span class={line.is_read ? 'review-line' : 'review-line unread'}>
        <Stars stars={line.stars} />
        <bdi class="who">{line.by ?? 'Anonymous'}</bdi>
        {!line.is_read && <span class="unseen">unread</span>}
        <span class="when">{line.at !== null && <Moment at={line.at} still />}</span>
      </span>
      <span
        class={line.text === '' ? 'review-words silent' : 'review-words'}
        dir="auto"
        lang={line.text === '' ? undefined : (line.language ?? undefined)}
      >
        {line.text === '' ? 'No text' : line.text}
      </span>
      <span class="review-foot">
        <span>{line.platform}</span>
        <bdi class="place">{line.location}</bdi>
        {line.is_flagged && (
          <StateWord tone="warn" icon="flag">
            Flagged
          </StateWord>
        )}
        <LineState of={line.state} />
      </span>
    </>
  )
}

const lineStates = {
  answered: ['good', 'Answered'],
  draft: ['warn', 'Draft'],
  waiting: ['warn', 'Waiting'],
  failed: ['bad', 'Failed'],
} as const

function LineState({ of: state }: { readonly of: ListedLine['state'] }) {
  if (state === 'open') return null
  const [tone, words] = lineStates[state]
  return <StateWord tone={tone}>{words}</StateWord>
}

const sample: ListedLine = {
  id: 'sample',
  by: 'Ann Lee',
  stars: 5,
  text: 'Warm bread and kind people.',
  language: 'en',
  platform: 'Google',
  location: 'Harbour Bakehouse',
  at: null,
  is_read: true,
  is_flagged: false,
  state: 'answered',
}

function NoneFound({ data: { asked, searched_since } }: { readonly data: ReviewsData }) {
  if (searched_since !== null) return <Older asked={asked} since={searched_since} />
  if (asked.needs && searchOf(asked) === 'needs=1') {
    return (
      <Empty text="All done: no review waits for a reply." action={<a href={path}>Show all reviews</a>} />
    )
  }
  return <Empty text="No review matches these filters." action={<a href={path}>Remove all filters</a>} />
}

function Pager({
  data: { asked, next, searched_since },
  to,
}: {
  readonly data: ReviewsData
  to(changes: Partial<ReviewListFilters>): string
}) {
  return (
    <div class="row">
      {asked.after !== '' && <a href={to({ after: '', review: '' })}>First page</a>}
      {next !== null && <a href={to({ after: next, review: '' })}>Next page</a>}
      {searched_since !== null && <Older asked={asked} since={searched_since} />}
      <Downloads
        of="reviews"
        query={searchOf(asked, { after: '', review: '' })}
        label="all reviews of this list"
      />
    </div>
  )
}

const Older = ({ asked, since }: { readonly asked: ReviewListFilters; readonly since: string }) => (
  <p>
    Searched back to <Moment at={since} />.{' '}
    <a href={`${path}?${searchOf(asked)}&all=1`}>Search all reviews</a>
  </p>
)

function Doubts({ of }: { readonly of: ReviewsData['doubts'] }) {
  return (
    <>
      {of.map(({ id, name, doubt }) => (
        <Notice key={id} tone="warn" title={`The replies of ${name} are in doubt`}>
          {doubt.why}
        </Notice>
      ))}
    </>
  )
}

function Ignored({ of: ignored }: { readonly of: ReviewsData['ignored'] }) {
  if (ignored.length === 0) return null
  return (
    <Notice tone="warn" title="Some filters were ignored">
      <ul>
        {ignored.map(({ name, value, accepted }) => (
          <li key={name}>
            <code>{name}</code> = <bdi>{value}</bdi>: {accepted}
          </li>
        ))}
      </ul>
    </Notice>
  )
}
