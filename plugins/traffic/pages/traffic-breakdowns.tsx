/** @jsxImportSource renown/web */
import { type Children, formatNumber, readablePath, Table } from 'renown/web'
import type { PathLine } from '../sums/shownPaths'
import { type FilterName, filterBy, type ListName, type TrafficFilters } from '../sums/traffic-filters'
import type { AgentLine, AssistantLine, LandingLine, OperatorLine, TrafficData } from './traffic-data'
import { ListCard, type ListFrame } from './traffic-list'
import { Change } from './traffic-numbers'
import { categories } from './traffic-words'

type Frame = Omit<ListFrame, 'list' | 'title' | 'about' | 'part' | 'without'>

/** Shows operators, pages and referrers. Each row filters the page. */
export function Breakdowns(frame: Frame) {
  return (
    <>
      <Operators {...frame} />
      <Assistants {...frame} />
      <div class="sides">
        <Pages {...frame} />
        <Landing {...frame} />
      </div>
      <Crawlers {...frame} />
    </>
  )
}

/** Shows one list with all of its rows. */
export function WholeList({ list, ...frame }: Frame & { readonly list: ListName }) {
  const List = {
    operators: Operators,
    pages: Pages,
    assistants: Assistants,
    landing: Landing,
    crawlers: Crawlers,
  }[list]
  return <List {...frame} />
}

interface BarProps {
  /** The filter that a click on the row sets. */
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
      {sub && <span class="sub">{sub}</span>}
      <span class="much">{much}</span>
      <meter min="0" max="1" value={share.toFixed(3)} aria-hidden="true" />
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
/** Returns the link that filters by a value. */
const linkTo = (asked: TrafficFilters, name: FilterName, value: string) => ({
  href: `?${filterBy(asked, name, value)}`,
  isSet: asked[name] === value,
})

interface FilterLinkProps {
  readonly asked: TrafficFilters
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

const notByPage = 'Not available by page. Remove the page filter to see them.'
const noCrawlerVisits = 'A crawler sends no visitors. Remove the filter to see visits.'

function Operators(frame: Frame) {
  const { asked, lists } = frame.data
  return (
    <ListCard<OperatorLine>
      {...frame}
      list="operators"
      title="Operators"
      about="Crawls per visit: verified crawls of an operator's agents for each visit from its assistant."
      part={lists.operators}
      without={notByPage}
      empty="No crawler hits and no visits in this period."
    >
      {(lines) => (
        <Table
          label="Crawls and visits by operator"
          columns={['Operator', 'Crawled', 'Change', 'Verified', 'Visits', 'Crawls per visit', 'Spoofed']}
          numeric={['Change', 'Crawls per visit', 'Visits']}
          rows={lines.map((line) => [
            <FilterLink asked={asked} name="operator" value={line.operator} />,
            formatNumber(line.crawled.now),
            <Change figure={line.crawled} />,
            formatNumber(line.verified),
            formatNumber(line.sent.now),
            perVisit(line),
            formatNumber(line.spoofed),
          ])}
        />
      )}
    </ListCard>
  )
}

/** Returns the ratio, such as 152 : 1, or why there is none. Both counts are in the same row. */
export function perVisit({ crawls_per_visit: { crawls, ratio }, has_assistant }: OperatorLine): string {
  if (!has_assistant && ratio === null) return 'no assistant'
  if (ratio === null) return 'no visits'
  if (crawls === 0) return 'none verified'
  const rounded = ratio >= 10 ? Math.round(ratio) : Math.round(ratio * 10) / 10
  return `${rounded === 0 ? '<0.1' : formatNumber(rounded)} : 1`
}

const pagesAbout = ({ asked }: TrafficData) =>
  asked.category === null
    ? 'At least this number of fetches: each day lists its 25 most fetched pages.'
    : 'At least this number of fetches: each day lists its 12 most fetched pages per purpose.'

function Pages(frame: Frame) {
  const { asked, lists } = frame.data
  return (
    <ListCard<PathLine>
      {...frame}
      list="pages"
      title="Pages"
      about={pagesAbout(frame.data)}
      part={lists.pages}
      without="Pages are counted by purpose, not by crawler. Remove the filter to see them."
      empty="No page was fetched in this period."
    >
      {(lines, greatest) => (
        <ul class="bars">
          {lines.map(({ path, hits, category }) => (
            <Bar
              key={path}
              filters={linkTo(asked, 'page', path)}
              share={shareOf(
                hits,
                greatest(({ hits }) => hits),
              )}
              what={<bdi title={path}>{readablePath(path)}</bdi>}
              much={formatNumber(hits)}
              sub={
                category === null || asked.category !== null ? null : `mostly ${categories[category]?.name}`
              }
            />
          ))}
        </ul>
      )}
    </ListCard>
  )
}

function Assistants(frame: Frame) {
  const { asked, lists } = frame.data
  return (
    <ListCard<AssistantLine>
      {...frame}
      list="assistants"
      title="People from assistants"
      about="At least this many: many apps do not say where people come from."
      part={lists.assistants}
      without={asked.page === null ? noCrawlerVisits : notByPage}
      empty="No visits from assistants in this period, as far as Renown can see."
    >
      {(lines, greatest) => (
        <ul class="bars">
          {lines.map((line) => (
            // The row names a host, but only its operator is a filter, so only the operator is a link.
            <Bar
              key={line.host}
              share={shareOf(
                line.now,
                greatest(({ now }) => now),
              )}
              what={<bdi title={line.host}>{line.host}</bdi>}
              much={
                <>
                  {formatNumber(line.now)} <Change figure={line} isGood />
                </>
              }
              sub={
                line.operator !== null && <FilterLink asked={asked} name="operator" value={line.operator} />
              }
            />
          ))}
        </ul>
      )}
    </ListCard>
  )
}

function Landing(frame: Frame) {
  const { asked, lists } = frame.data
  return (
    <ListCard<LandingLine>
      {...frame}
      list="landing"
      title="Landing pages"
      about="The pages on which visits from assistants began: at least this many visits."
      part={lists.landing}
      without={
        asked.operator === null
          ? noCrawlerVisits
          : 'Not available by operator. Remove the filter to see them.'
      }
      empty="No visits from assistants in this period, as far as Renown can see."
    >
      {(lines, greatest) => (
        <ul class="bars">
          {lines.map(({ path, visits }) => (
            <Bar
              key={path}
              filters={linkTo(asked, 'page', path)}
              share={shareOf(
                visits,
                greatest(({ visits }) => visits),
              )}
              what={<bdi title={path}>{readablePath(path)}</bdi>}
              much={formatNumber(visits)}
            />
          ))}
        </ul>
      )}
    </ListCard>
  )
}

function Crawlers(frame: Frame) {
  const { asked, lists } = frame.data
  return (
    <ListCard<AgentLine>
      {...frame}
      list="crawlers"
      title="Crawlers"
      about="Verified: the operator publishes the address, or signed the request. Spoofed: the operator publishes its addresses and this is not one of them, or the signature is false. Unchecked: there is neither a list nor a signature, or no address was sent."
      part={lists.crawlers}
      without={notByPage}
      empty="No crawler came in this period."
    >
      {(lines) => (
        <Table
          label="Crawlers"
          columns={[
            'Crawler',
            'Operator',
            'Purpose',
            'Hits',
            'Change',
            'Verified',
            'Unchecked',
            'Spoofed',
            'History',
          ]}
          numeric={['Change']}
          rows={lines.map(({ agent, operator, category, hits, verified, unchecked, spoofed, signed }) => [
            <FilterLink asked={asked} name="agent" value={agent} />,
            <FilterLink asked={asked} name="operator" value={operator} />,
            <FilterLink asked={asked} name="category" value={category}>
              {categories[category]?.name}
            </FilterLink>,
            formatNumber(hits.now),
            <Change figure={hits} />,
            signed > 0
              ? `${formatNumber(verified)} (${formatNumber(signed)} signed)`
              : formatNumber(verified),
            formatNumber(unchecked),
            formatNumber(spoofed),
            <a
              href={`/app/traffic/crawler?agent=${encodeURIComponent(agent)}${asked.site === null ? '' : `&site=${asked.site}`}`}
            >
              Open<span class="unseen"> {agent}</span>
            </a>,
          ])}
        />
      )}
    </ListCard>
  )
}
