/** @jsxImportSource renown/web */
import {
  ButtonLink,
  Downloads,
  Empty,
  Filters,
  formatDay,
  Head,
  Notice,
  type PageProps,
  Row,
  Toast,
} from 'renown/web'
import { type CalendarView, calendarHref } from './calendar-period'
import { PostLink } from './listed-post'
import type { CalendarData, CalendarDay, PostGroup } from './load-calendar'

const path = '/app/posts'

/** The calendar of posts: a month, a week or a list, and the posts without a time beside it. */
export default function PostsPage({ data, notice, workspace }: PageProps<CalendarData>) {
  return (
    <>
      <Head
        title="Posts"
        tools={
          <Row>
            <ButtonLink href="/app/posts/targets">Targets</ButtonLink>
            <ButtonLink href="/app/posts/new" kind="primary">
              New post
            </ButtonLink>
          </Row>
        }
      >
        Times are in {workspace.timezone}.
      </Head>
      {notice !== null && <Toast text={notice} />}
      <Ignored of={data.ignored} />
      {data.doubts.map(({ label, business, href, why }) => (
        <Notice key={href + label} tone="bad" title={`${label} is in doubt`}>
          <p>
            <bdi>{business}</bdi>: <bdi>{why}</bdi> Renown publishes nothing there until a person confirms it.{' '}
            <a href={href}>Look at the target</a>
          </p>
        </Notice>
      ))}
      {data.has_any ? (
        <Board data={data} />
      ) : (
        <Empty
          text="No posts yet. Write one for Google, your website, a feed or a social network."
          action={
            <ButtonLink href="/app/posts/new" kind="primary">
              Write a post
            </ButtonLink>
          }
        />
      )}
    </>
  )
}

function Board({ data }: { readonly data: CalendarData }) {
  const { asked, locations, platforms } = data
  return (
    <div class="stack">
      <Filters
        action={path}
        label="Filter posts"
        keep={{ view: asked.view, day: asked.day }}
        filters={[
          { name: 'location', label: 'Location', value: asked.location, options: locations },
          { name: 'platform', label: 'Target', value: asked.platform, options: platforms },
        ]}
      />
      <Pager data={data} />
      {data.is_cut && (
        <Notice tone="warn" title="Not all posts are shown">
          <p>
            More posts are planned in these days than this page shows. Choose a week, a location or a target.
          </p>
        </Notice>
      )}
      <div class="posts-board">
        <Calendar data={data} />
        <div class="posts-aside">
          {data.groups.map((group) => (
            <Group key={group.name} of={group} />
          ))}
        </div>
      </div>
    </div>
  )
}

const viewNames: readonly (readonly [CalendarView, string])[] = [
  ['month', 'Month'],
  ['week', 'Week'],
  ['list', 'List'],
]

function Pager({ data: { asked, period, today } }: { readonly data: CalendarData }) {
  const first = period.days[0] ?? ''
  const last = period.days.at(-1) ?? ''
  const title =
    period.month === null
      ? `${formatDay(first)} – ${formatDay(last)}`
      : formatDay(`${period.month}-01`).replace(/^1 /, '')
  return (
    <div class="row apart">
      <h2 class="calendar-title">{title}</h2>
      <nav class="row" aria-label="Calendar">
        <span class="segments">
          {viewNames.map(([view, label]) => (
            <a
              key={view}
              href={calendarHref(asked, { view })}
              aria-current={view === asked.view ? 'true' : undefined}
            >
              {label}
            </a>
          ))}
        </span>
        <a href={calendarHref(asked, { day: period.previous })}>Earlier</a>
        <a href={calendarHref(asked, { day: today })}>Today</a>
        <a href={calendarHref(asked, { day: period.next })}>Later</a>
        <Downloads of="posts" query={calendarHref(asked).split('?')[1] ?? ''} label="these posts" />
      </nav>
    </div>
  )
}

const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const
/** Posts of one day that a month shows. */
const perDay = 3

function Calendar({ data: { asked, days, today } }: { readonly data: CalendarData }) {
  const isList = asked.view === 'list'
  const shown = isList ? days.filter(({ posts }) => posts.length > 0) : days
  if (isList && shown.length === 0) return <Empty text="No post is planned or published in this month." />
  return (
    <div class={`calendar ${asked.view}`}>
      {!isList && (
        <div class="weekdays" aria-hidden="true">
          {weekdays.map((name) => (
            <span key={name}>{name}</span>
          ))}
        </div>
      )}
      <ol class="days">
        {shown.map((day) => (
          <Day
            key={day.day}
            of={day}
            isToday={day.day === today}
            max={asked.view === 'month' ? perDay : 300}
            more={calendarHref(asked, { view: 'week', day: day.day })}
          />
        ))}
      </ol>
      {!isList && days.every(({ posts }) => posts.length === 0) && (
        <p class="hint none-planned">No post is planned or published in these days.</p>
      )}
    </div>
  )
}

interface DayProps {
  readonly of: CalendarDay
  readonly isToday: boolean
  readonly max: number
  readonly more: string
}

function Day({ of: { day, isOutside, posts }, isToday, max, more }: DayProps) {
  const marks = [isOutside && 'outside', isToday && 'today', posts.length === 0 && 'empty']
  const hidden = posts.length - max
  return (
    <li class={['day', ...marks].filter(Boolean).join(' ')} aria-current={isToday ? 'date' : undefined}>
      <h3>
        <time datetime={day}>
          <span class="short" aria-hidden="true">
            {Number(day.slice(8))}
          </span>
          <span class="long">
            {weekdayOf(day)}, {formatDay(day)}
          </span>
        </time>
      </h3>
      {posts.length > 0 && (
        <ul>
          {posts.slice(0, max).map((post) => (
            <li key={post.id}>
              <PostLink of={post} />
            </li>
          ))}
        </ul>
      )}
      {hidden > 0 && <a href={more}>{hidden} more</a>}
    </li>
  )
}

const weekdayOf = (day: string) => weekdays[(new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7]

const groupNames = {
  unknown: ['Needs your decision', ''],
  failed: ['Failed', ''],
  draft: ['Drafts', 'No drafts.'],
} as const

function Group({ of: { name, posts, has_more } }: { readonly of: PostGroup }) {
  const [title, none] = groupNames[name]
  if (posts.length === 0 && none === '') return null
  return (
    <section class={`card group-${name}`}>
      <h2>{title}</h2>
      {posts.length === 0 && <p class="hint">{none}</p>}
      <ul class="posts-list">
        {posts.map((post) => (
          <li key={post.id}>
            <PostLink of={post} />
            {post.why !== null && <p class="hint">{post.why}</p>}
          </li>
        ))}
      </ul>
      {has_more && <p class="hint">Only the newest are shown. Choose a location to see others.</p>}
    </section>
  )
}

function Ignored({ of: ignored }: { readonly of: CalendarData['ignored'] }) {
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
