/** @jsxImportSource renown/web */
import { Card, type Children, formatNumber, Table } from 'renown/web'
import { type Asked, type FilterName, filterBy } from '../sums/asked'
import type { TrafficData } from './loadTraffic'
import { Change } from './traffic-numbers'

/** The purposes of crawlers, in the order of the chart. */
export const categories: Readonly<
  Record<string, { readonly name: string; readonly colour: 'c1' | 'c2' | 'c3' | 'c4' }>
> = {
  ai_answers: { name: 'Answers', colour: 'c1' },
  search_index: { name: 'Search index', colour: 'c2' },
  training: { name: 'Training', colour: 'c3' },
  other_ai: { name: 'Other AI', colour: 'c4' },
}

/** Operators, pages and referrers. Every row filters the page. */
export function Breakdowns({ data }: { readonly data: TrafficData }) {
  return (
    <>
      <Card
        title="Crawls and visits by operator"
        about="Pages that an operator's crawlers fetched, and people that its assistants sent."
      >
        <Operators data={data} />
      </Card>
      <div class="sides">
        <Card title="Pages" about={pagesAbout(data)}>
          <Paths data={data} />
        </Card>
        <Card
          title="People from assistants"
          about="At least this many: many apps do not say where people come from."
        >
          <Visits data={data} />
        </Card>
      </div>
      <Card
        title="Crawlers"
        about="Verified: the operator publishes the address. Spoofed: the operator publishes its addresses, and this is not one of them. Unchecked: there is no list, or no address was sent."
      >
        <Crawlers data={data} />
      </Card>
    </>
  )
}

interface BarProps {
  /** What a click on the row filters by. */
  readonly filters?: ReturnType<typeof linkTo>
  readonly share: number
  readonly what: Children
  readonly much: Children
  readonly sub?: Children
}

function Bar({ filters, share, what, much, sub }: BarProps) {
  const inside = (
    <>
      <span class="what">{what}</span>
      <span class="much">{much}</span>
      <meter min="0" max="1" value={share.toFixed(3)} aria-hidden="true" />
      {sub && <span class="sub">{sub}</span>}
    </>
  )
  return (
    <li>
      {filters === undefined ? (
        <div class="bar-row">{inside}</div>
      ) : (
        <a class="bar-row" href={filters.href} aria-current={filters.isSet ? 'true' : undefined}>
          {inside}
        </a>
      )}
    </li>
  )
}

const shareOf = (part: number, greatest: number) => (greatest > 0 ? part / greatest : 0)
/** The link of everything that filters the page: it filters by what it stands on. */
const linkTo = (asked: Asked, name: FilterName, value: string) => ({
  href: `?${filterBy(asked, name, value)}`,
  isSet: asked[name] === value,
})

interface FilterLinkProps {
  readonly asked: Asked
  readonly name: FilterName
  readonly value: string
  readonly children?: Children
}

function FilterLink({ asked, name, value, children }: FilterLinkProps) {
  const { href, isSet } = linkTo(asked, name, value)
  return (
    <a href={href} aria-current={isSet ? 'true' : undefined}>
      <bdi>{children ?? value}</bdi>
    </a>
  )
}

/** Returns a path decoded, unless it has invisible characters or changes the text direction. */
export function readable(path: string): string {
  try {
    const decoded = decodeURI(path)
    return /[\p{Cc}\p{Cf}\p{DI}\p{Zl}\p{Zp}]/u.test(decoded) ? path : decoded
  } catch {
    return path
  }
}

const notByPage = 'Not available by page. Remove the page filter to see them.'

function Operators({ data: { operators, asked } }: { readonly data: TrafficData }) {
  if (operators === null) return <p class="empty">{notByPage}</p>
  if (operators.length === 0) return <p class="empty">No crawler hits and no visits in this period.</p>
  const most = Math.max(...operators.map(({ crawled }) => crawled.now))
  return (
    <ul class="bars">
      {operators.map(({ operator, crawled, sent, spoofed }) => (
        <Bar
          key={operator}
          filters={linkTo(asked, 'operator', operator)}
          share={shareOf(crawled.now, most)}
          what={
            <>
              <b>
                <bdi>{operator}</bdi>
              </b>{' '}
              crawled {formatNumber(crawled.now)} {crawled.now === 1 ? 'page' : 'pages'} → sent{' '}
              {formatNumber(sent.now)} {sent.now === 1 ? 'visit' : 'visits'}
            </>
          }
          much={<Change figure={crawled} />}
          sub={
            spoofed > 0
              ? `${formatNumber(spoofed)} hits with its name came from other addresses and are left out`
              : null
          }
        />
      ))}
    </ul>
  )
}

const pagesAbout = ({ paths, asked }: TrafficData) =>
  paths === null
    ? 'Pages are counted by purpose, not by crawler. Remove the filter to see them.'
    : asked.category === null
      ? 'At least this many fetches: each day keeps its 25 busiest pages.'
      : 'At least this many fetches: each day keeps its 12 busiest pages of a purpose.'

function Paths({ data: { paths, asked } }: { readonly data: TrafficData }) {
  if (paths === null) return null
  if (paths.length === 0) return <p class="empty">No page was fetched in this period.</p>
  const most = paths[0]?.hits ?? 0
  return (
    <ul class="bars">
      {paths.map(({ path, hits, category }) => (
        <Bar
          key={path}
          filters={linkTo(asked, 'page', path)}
          share={shareOf(hits, most)}
          what={<bdi>{readable(path)}</bdi>}
          much={formatNumber(hits)}
          sub={category === null || asked.category !== null ? null : `mostly ${categories[category]?.name}`}
        />
      ))}
    </ul>
  )
}

function Visits({ data: { assistants, landing, asked } }: { readonly data: TrafficData }) {
  if (asked.agent !== null || asked.category !== null) {
    return <p class="empty">A crawler sends no visitors. Remove the filter to see visits.</p>
  }
  if (assistants?.length === 0)
    return <p class="empty">No visits from assistants in this period, as far as Renown can see.</p>
  return (
    <>
      {assistants === null ? <p class="empty">{notByPage}</p> : <Assistants of={assistants} asked={asked} />}
      {landing.length > 0 && (
        <Table
          label="Landing pages"
          columns={['Landing page', 'Visits']}
          rows={landing.map(({ path, visits }) => [
            <FilterLink asked={asked} name="page" value={path}>
              {readable(path)}
            </FilterLink>,
            formatNumber(visits),
          ])}
        />
      )}
    </>
  )
}

/** Where people came from. The row is about a host, and the page is filtered by its operator: only the operator is a link. */
function Assistants({
  of,
  asked,
}: {
  readonly of: NonNullable<TrafficData['assistants']>
  readonly asked: Asked
}) {
  const most = of[0]?.now ?? 0
  return (
    <ul class="bars">
      {of.map((line) => (
        <Bar
          key={line.host}
          share={shareOf(line.now, most)}
          what={<bdi>{line.host}</bdi>}
          much={
            <>
              {formatNumber(line.now)} <Change figure={line} />
            </>
          }
          sub={line.operator !== null && <FilterLink asked={asked} name="operator" value={line.operator} />}
        />
      ))}
    </ul>
  )
}

function Crawlers({ data: { agents, asked } }: { readonly data: TrafficData }) {
  if (agents === null) return <p class="empty">{notByPage}</p>
  return (
    <Table
      label="Crawlers"
      columns={['Crawler', 'Operator', 'For', 'Hits', 'Change', 'Verified', 'Unchecked', 'Spoofed']}
      empty="No crawler came in this period."
      rows={agents.map(({ agent, operator, category, hits, verified, unchecked, spoofed }) => [
        <FilterLink asked={asked} name="agent" value={agent} />,
        <FilterLink asked={asked} name="operator" value={operator} />,
        <FilterLink asked={asked} name="category" value={category}>
          {categories[category]?.name}
        </FilterLink>,
        formatNumber(hits.now),
        <Change figure={hits} />,
        formatNumber(verified),
        formatNumber(unchecked),
        formatNumber(spoofed),
      ])}
    />
  )
}
