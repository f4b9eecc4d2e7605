/** @jsxImportSource renown/web */
import { Card, type Children, formatNumber, Table } from 'renown/web'
import { type Asked, searchOf } from './asked'
import type { TrafficData } from './loadTraffic'
import { Change } from './traffic-numbers'

/** What crawlers come for, in the order in which the picture stacks it. */
export const categories: Readonly<
  Record<string, { readonly name: string; readonly colour: 'c1' | 'c2' | 'c3' | 'c4' }>
> = {
  ai_answers: { name: 'Answers', colour: 'c1' },
  search_index: { name: 'Search index', colour: 'c2' },
  training: { name: 'Training', colour: 'c3' },
  other_ai: { name: 'Other AI', colour: 'c4' },
}

/** Who, what, and where people come from; every row filters the page. */
export function Breakdowns({ data }: { readonly data: TrafficData }) {
  return (
    <>
      <Card
        title="Who takes, who gives"
        about="Pages that an operator's crawlers fetched, and people its assistants sent."
      >
        <Operators data={data} />
      </Card>
      <div class="sides">
        <Card title="Pages" about={pagesAbout(data)}>
          <Paths data={data} />
        </Card>
        <Card
          title="People from assistants"
          about="At least so many: many apps do not say where people come from."
        >
          <Visits data={data} />
        </Card>
      </div>
      <Card
        title="Crawlers"
        about="Verified: the address is one its operator publishes. Spoofed: the operator publishes its addresses, and this was none of them. Unchecked: there is no list to check against, or no address was sent."
      >
        <Crawlers data={data} />
      </Card>
    </>
  )
}

interface BarProps {
  readonly href?: string | undefined
  readonly share: number
  readonly what: Children
  readonly much: Children
  readonly sub?: Children
}

function Bar({ href, share, what, much, sub }: BarProps) {
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
      {href === undefined ? (
        <div class="bar-row">{inside}</div>
      ) : (
        <a class="bar-row" href={href}>
          {inside}
        </a>
      )}
    </li>
  )
}

const shareOf = (part: number, greatest: number) => (greatest > 0 ? part / greatest : 0)
/** An operator's row narrows the page to it, and widens it again. */
const toggled = (asked: Asked, operator: string) =>
  filtered(asked, { operator: asked.operator === operator ? null : operator, agent: null })
const filtered = (asked: Asked, changes: Partial<Asked>) => `?${searchOf(asked, changes)}`

/** A path in its own letters, unless some of them cannot be seen or turn the line around. */
export function readable(path: string): string {
  try {
    const decoded = decodeURI(path)
    return /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(decoded) ? path : decoded
  } catch {
    return path
  }
}

function Operators({ data: { operators, asked } }: { readonly data: TrafficData }) {
  if (operators.length === 0) return <p class="empty">No crawler and no visit in this period.</p>
  const most = Math.max(...operators.map(({ crawled }) => crawled.now))
  return (
    <ul class="bars">
      {operators.map(({ operator, crawled, sent, spoofed }) => (
        <Bar
          key={operator}
          href={toggled(asked, operator)}
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
              ? `${formatNumber(spoofed)} hits in its name came from elsewhere and are left out`
              : null
          }
        />
      ))}
    </ul>
  )
}

const pagesAbout = ({ paths, asked }: TrafficData) =>
  paths === null
    ? 'Pages are kept by purpose, not by crawler: take the filter away to see them.'
    : asked.category === null
      ? 'At least so many fetches: each day keeps its 25 busiest pages.'
      : 'At least so many fetches: each day keeps its 12 busiest pages of a purpose.'

function Paths({ data: { paths, asked } }: { readonly data: TrafficData }) {
  if (paths === null) return null
  if (paths.length === 0) return <p class="empty">No page was fetched in this period.</p>
  const most = paths[0]?.hits ?? 0
  return (
    <ul class="bars">
      {paths.map(({ path, hits, category }) => (
        <Bar
          key={path}
          href={category === null || asked.category !== null ? undefined : filtered(asked, { category })}
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
    return <p class="empty">A crawler sends nobody: take the filter away to see visits.</p>
  }
  if (assistants.length === 0)
    return <p class="empty">Nobody came from an assistant in this period, as far as it can be seen.</p>
  const most = assistants[0]?.now ?? 0
  return (
    <>
      <ul class="bars">
        {assistants.map((line) => (
          <Bar
            key={line.host}
            href={line.operator === null ? undefined : toggled(asked, line.operator)}
            share={shareOf(line.now, most)}
            what={<bdi>{line.host}</bdi>}
            much={
              <>
                {formatNumber(line.now)} <Change figure={line} />
              </>
            }
          />
        ))}
      </ul>
      {landing.length > 0 && (
        <Table
          label="Pages they came to"
          columns={['They came to', 'Visits']}
          rows={landing.map(({ path, visits }) => [<bdi>{readable(path)}</bdi>, formatNumber(visits)])}
        />
      )}
    </>
  )
}

function Crawlers({ data: { agents, asked } }: { readonly data: TrafficData }) {
  return (
    <Table
      label="Crawlers"
      columns={['Crawler', 'Operator', 'For', 'Hits', 'Change', 'Verified', 'Unchecked', 'Spoofed']}
      empty="No crawler came in this period."
      rows={agents.map(({ agent, operator, category, hits, verified, unchecked, spoofed }) => [
        <a href={filtered(asked, { agent: asked.agent === agent ? null : agent })}>
          <bdi>{agent}</bdi>
        </a>,
        <a href={filtered(asked, { operator })}>
          <bdi>{operator}</bdi>
        </a>,
        <a href={filtered(asked, { category })}>{categories[category]?.name}</a>,
        formatNumber(hits.now),
        <Change figure={hits} />,
        formatNumber(verified),
        formatNumber(unchecked),
        formatNumber(spoofed),
      ])}
    />
  )
}
