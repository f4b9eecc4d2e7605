/** @jsxImportSource renown/web */
import {
  ButtonLink,
  Card,
  Facts,
  formatCount,
  formatDay,
  formatNumber,
  Head,
  Notice,
  OutLink,
  type PageProps,
  Row,
  readablePath,
  StackedBars,
  Table,
} from 'renown/web'
import type { CrawlerData } from './crawler-data'
import { categories } from './traffic-words'

/** Shows one crawler: what it is, its days, pages and errors, and what robots.txt says about it. */
export default function CrawlerPage({ data }: PageProps<CrawlerData>) {
  const { agent, operator, period, site } = data
  return (
    <>
      <Head title={agent}>
        A crawler of {operator}, {site ? `on ${site.name}` : 'on all sites'}, {formatDay(period.date_from)} to{' '}
        {formatDay(period.date_to)}
      </Head>
      <Row>
        <ButtonLink href={`/app/traffic?agent=${encodeURIComponent(agent)}${site ? `&site=${site.id}` : ''}`}>
          Open AI traffic
        </ButtonLink>
        {site && <ButtonLink href={`/app/traffic/access?site=${site.id}`}>Open crawler access</ButtonLink>}
      </Row>
      <About data={data} />
      <Days data={data} />
      <Robots data={data} />
      <Errors data={data} />
      <Pages data={data} />
      {data.sites.length > 1 && <Sites data={data} />}
    </>
  )
}

type Part = { readonly data: CrawlerData }

function About({ data: { operator, category, docs, first, last, totals } }: Part) {
  const unchecked = totals.hits - totals.verified - totals.spoofed
  return (
    <Card title="About this crawler">
      <Facts
        of={[
          ['Operator', docs === null ? operator : <OutLink href={docs}>{operator}</OutLink>],
          ['Purpose', categories[category]?.name ?? category],
          ['First counted', formatDay(first)],
          ['Last counted', formatDay(last)],
          ['Hits', formatNumber(totals.hits)],
          [
            'Verified, unchecked, spoofed',
            [totals.verified, unchecked, totals.spoofed].map((count) => formatNumber(count)).join(', '),
          ],
        ]}
      />
    </Card>
  )
}

function Days({ data: { days, period } }: Part) {
  const series = [
    { name: 'Verified', colour: 'c1' as const, values: days.map(({ verified }) => verified) },
    {
      name: 'Unchecked',
      colour: 'c2' as const,
      values: days.map(({ hits, verified, spoofed }) => Math.max(0, hits - verified - spoofed)),
    },
    { name: 'Spoofed', colour: 'c4' as const, values: days.map(({ spoofed }) => spoofed) },
  ]
  const label = `Hits by day, ${formatDay(period.date_from)} to ${formatDay(period.date_to)}: verified, unchecked and spoofed.`
  return (
    <Card title="Hits by day" about="Verified, unchecked and spoofed hits. Today is not over.">
      <div class="chart">
        <StackedBars
          label={label}
          days={days.map(({ date }) => date)}
          series={series}
          unfinished={1}
          width={960}
          height={240}
        />
      </div>
    </Card>
  )
}

const groups = {
  named: 'It has a group of its own in robots.txt.',
  all: 'The group for all robots applies to it.',
  none: 'No group of robots.txt applies to it.',
} as const
const closedWords = {
  all: 'robots.txt disallows the whole site to it.',
  some: 'robots.txt disallows some paths to it.',
  none: 'robots.txt disallows nothing to it.',
} as const

function Robots({ data }: Part) {
  const { access, access_fault, disallowed, judged, totals, site } = data
  return (
    <Card
      title="robots.txt"
      about="Each day is judged by the robots.txt that held then. Spoofed hits are left out."
    >
      {access_fault !== null && (
        <Notice tone="warn" title="robots.txt could not be read">
          {access_fault}
        </Notice>
      )}
      {access && (
        <p>
          {closedWords[access.closed]} {groups[access.group]}
        </p>
      )}
      {site === null && <p class="hint">Choose a site to see what its robots.txt says now.</p>}
      {judged === 0 ? (
        <p class="empty">No day of this period was judged yet.</p>
      ) : totals.disallowed === 0 ? (
        <p>It fetched no disallowed page that Renown judged.</p>
      ) : (
        <>
          <p>Disallowed, and fetched {formatCount(totals.disallowed, 'time')}.</p>
          <Table
            label="Disallowed pages"
            columns={['Page', 'Rule', 'Hits', 'Verified']}
            rows={disallowed.map(({ path, rule, hits, verified }) => [
              <bdi title={path}>{readablePath(path)}</bdi>,
              <code>{rule}</code>,
              formatNumber(hits),
              formatNumber(verified),
            ])}
          />
        </>
      )}
    </Card>
  )
}

function Errors({ data: { totals, errors } }: Part) {
  const own = totals.hits - totals.spoofed
  return (
    <Card
      title="Errors"
      about={`The status is known of ${formatNumber(totals.with_status)} of ${formatCount(own, 'hit')} without spoofed ones.`}
    >
      {totals.with_status === 0 ? (
        <p class="empty">The log does not name the status, so errors cannot be counted.</p>
      ) : (
        <>
          <p>
            {formatCount(totals.client_errors, 'answer')} with a 4xx and {formatNumber(totals.server_errors)}{' '}
            with a 5xx.
          </p>
          <Table
            label="Errors by page"
            columns={['Page', 'Status', 'Hits at least']}
            empty="No page had an error."
            rows={errors.map(({ path, status, hits }) => [
              <bdi title={path}>{readablePath(path)}</bdi>,
              status,
              formatNumber(hits),
            ])}
          />
        </>
      )}
    </Card>
  )
}

function Pages({ data: { pages, coverage, agent } }: Part) {
  return (
    <Card
      title="Pages"
      about="Each day lists the 10 pages that a crawler fetched most, so the counts are lower limits."
    >
      <Table
        label="Pages"
        columns={['Page', 'Hits at least']}
        empty="No page is listed in this period."
        rows={pages.map(({ path, hits }) => [
          <bdi title={path}>{readablePath(path)}</bdi>,
          formatNumber(hits),
        ])}
      />
      {coverage && (
        <>
          <p>
            In 28 days {agent} fetched {formatNumber(coverage.fetched)} of{' '}
            {formatCount(coverage.pages, 'page')} of the sitemap.
          </p>
          {coverage.missing.length > 0 && (
            <p class="hint">
              Not fetched, for example: {coverage.missing.slice(0, 8).map(readablePath).join(', ')}
            </p>
          )}
        </>
      )}
    </Card>
  )
}

function Sites({ data: { agent, sites, site } }: Part) {
  return (
    <Card title="Sites">
      <ul>
        {sites.slice(0, 50).map(({ id, name }) => (
          <li key={id}>
            <a
              href={`/app/traffic/crawler?agent=${encodeURIComponent(agent)}&site=${id}`}
              aria-current={id === site?.id ? 'true' : undefined}
            >
              {name}
            </a>
          </li>
        ))}
      </ul>
    </Card>
  )
}
