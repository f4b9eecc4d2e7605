/** @jsxImportSource renown/web */
import type { ShownLine } from 'renown/pages'
import {
  ButtonLink,
  Choose,
  Downloads,
  Empty,
  formatDay,
  Head,
  Listed,
  listAddress,
  Notice,
  type PageProps,
  Row,
  Toast,
} from 'renown/web'
import type { CalendarView } from './calendar-period'
import { groupMax, type ListedPost, plannedMax } from './list-posts'
import { PostLink } from './listed-post'
import type { CalendarData } from './load-calendar'

/** The calendar of posts: a month, a week or a list, and the posts without a time beside it. */
export default function PostsPage(props: PageProps<CalendarData>) {
  const { data, notice, workspace } = props
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
      {data.doubts.map(({ label, business, href, why }) => (
        <Notice key={href + label} tone="bad" title={`${label} is in doubt`}>
          <p>
            <bdi>{business}</bdi>: <bdi>{why}</bdi> Renown publishes nothing there until a person confirms it.{' '}
            <a href={href}>Look at the target</a>
          </p>
        </Notice>
      ))}
      <Listed
        of={data.list}
        page={props}
        picture={<Board data={data} />}
        start={
          <Empty
            text="No posts yet. Write one for Google, your website, a feed or a social network."
            action={
              <ButtonLink href="/app/posts/new" kind="primary">
                Write a post
              </ButtonLink>
            }
          />
        }
      />
    </>
  )
}

type Line = ShownLine<ListedPost>

const countOf = (lines: readonly Line[], status: ListedPost['status']) =>
  lines.filter(({ line }) => line.status === status).length

function Board({ data }: { readonly data: CalendarData }) {
  const { lines } = data.list
  const isCut = (['scheduled', 'publishing', 'published'] as const).some(
    (status) => countOf(lines, status) > plannedMax,
  )
  return (
    <>
      <Pager data={data} />
      {isCut && (
        <Notice tone="warn" title="Not all posts are shown">
          <p>
            More posts are planned in these days than this page shows. Choose a week, a location or a target.
          </p>
        </Notice>
      )}
      <div class="posts-board">
        <Calendar data={data} />
        <div class="posts-aside">
          {(['unknown', 'failed', 'draft'] as const).map((name) => (
            <Group key={name} of={name} data={data} />
          ))}
        </div>
      </div>
    </>
  )
}

const viewNames: readonly (readonly [CalendarView, string])[] = [
  ['month', 'Month'],
  ['week', 'Week'],
  ['list', 'List'],
]

function Pager({ data: { list, view: shown, period, today } }: { readonly data: CalendarData }) {
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
              href={listAddress(list, { view: view === 'month' ? '' : view })}
              aria-current={view === shown ? 'true' : undefined}
            >
              {label}
            </a>
          ))}
        </span>
        <a href={listAddress(list, { day: period.previous })}>Earlier</a>
        <a href={listAddress(list, { day: today })}>Today</a>
        <a href={listAddress(list, { day: period.next })}>Later</a>
        <Downloads of="posts" query={list.query} label="these posts" />
      </nav>
    </div>
  )
}

const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const
/** Posts of one day that a month shows. */
const perDay = 3

function Calendar({ data: { list, view, period, today } }: { readonly data: CalendarData }) {
  const isList = view === 'list'
  const byDay = Map.groupBy(
    list.lines.filter(({ line }) => line.group === 'planned'),
    ({ line }) => line.day,
  )
  const shown = isList ? period.days.filter((day) => byDay.has(day)) : period.days
  if (isList && shown.length === 0) return <Empty text="No post is planned or published in this month." />
  return (
    <div class={`calendar ${view}`}>
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
            key={day}
            day={day}
            posts={byDay.get(day) ?? []}
            isOutside={period.month !== null && !day.startsWith(period.month)}
            isToday={day === today}
            max={view === 'month' ? perDay : plannedMax}
            more={listAddress(list, { view: 'week', day })}
            canChoose={isList && list.acts.length > 0}
          />
        ))}
      </ol>
      {!isList && byDay.size === 0 && <p class="hint none-planned">{list.empty.text}</p>}
    </div>
  )
}

interface DayProps {
  readonly day: string
  readonly posts: readonly Line[]
  readonly isOutside: boolean
  readonly isToday: boolean
  readonly max: number
  readonly more: string
  readonly canChoose: boolean
}

function Day({ day, isOutside, posts, isToday, max, more, canChoose }: DayProps) {
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
            <Post key={post.id} of={post} canChoose={canChoose} />
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

function Group({
  of: name,
  data: { list },
}: {
  readonly of: keyof typeof groupNames
  readonly data: CalendarData
}) {
  const [title, none] = groupNames[name]
  const all = list.lines.filter(({ line }) => line.group === name)
  if (all.length === 0 && none === '') return null
  return (
    <section class={`card group-${name}`}>
      <h2>{title}</h2>
      {all.length === 0 && <p class="hint">{none}</p>}
      <ul class="posts-list">
        {all.slice(0, groupMax).map((post) => (
          <Post key={post.id} of={post} canChoose={list.acts.length > 0} />
        ))}
      </ul>
      {all.length > groupMax && (
        <p class="hint">Only the newest are shown. Choose a location to see others.</p>
      )}
    </section>
  )
}

function Post({ of: { item, line }, canChoose }: { readonly of: Line; readonly canChoose: boolean }) {
  const isChoosable = canChoose && line.can_be_chosen
  return (
    <li class={isChoosable ? 'choosable' : undefined}>
      {isChoosable && <Choose item={item} describedBy={`row-${line.id}`} />}
      <PostLink of={line} />
      {line.why !== null && <p class="hint">{line.why}</p>}
    </li>
  )
}
