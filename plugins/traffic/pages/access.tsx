/** @jsxImportSource renown/web */
import {
  Badge,
  Button,
  Card,
  Downloads,
  Form,
  formatCount,
  formatDay,
  formatNumber,
  Head,
  Moment,
  Notice,
  type PageProps,
  Row,
  readablePath,
  Table,
} from 'renown/web'
import type { AccessData } from './access-page'

/** Shows what a site lets crawlers read: robots.txt, llms.txt, errors, and pages that no crawler fetched. */
export default function AccessPage({ data, csrf, notice, outcome }: PageProps<AccessData>) {
  const { site, period, access } = data
  return (
    <>
      <Head title="Crawler access">
        {site.name}, {formatDay(period.date_from)} to {formatDay(period.date_to)}.{' '}
        {access.checked_at === null ? (
          'The site was not checked yet.'
        ) : (
          <>
            Checked <Moment at={access.checked_at} />.
          </>
        )}
      </Head>
      {notice !== null && <Notice tone="good">{notice}</Notice>}
      {outcome && !outcome.ok && <Notice tone="bad">{outcome.fault}</Notice>}
      {!data.isDemo && <CheckNow data={data} csrf={csrf} />}
      <Robots data={data} />
      <Agents data={data} />
      <Errors data={data} />
      <Llms data={data} />
      <NeverCrawled data={data} />
      {data.sites.length > 1 && <Sites data={data} />}
    </>
  )
}

interface CheckProps {
  readonly data: AccessData
  readonly csrf: string
}

/** Fetches the files of the site now, for people who have just changed one. */
const CheckNow = ({ data: { site }, csrf }: CheckProps) => (
  <Form
    action="/app/traffic/access/check"
    csrf={csrf}
    hidden={{ site: site.id, back: `/app/traffic/access?site=${site.id}` }}
    inline
    label="Check now"
  >
    <Row>
      <Button>Check now</Button>
      <span class="hint">Renown fetches robots.txt, llms.txt and the sitemap again. This takes seconds.</span>
    </Row>
  </Form>
)

type Part = { readonly data: AccessData }

const crawlerLink = (agent: string, siteId: string) => (
  <a href={`/app/traffic/crawler?agent=${encodeURIComponent(agent)}&site=${siteId}`}>{agent}</a>
)
const shownPath = (path: string) => <bdi title={path}>{readablePath(path)}</bdi>

function Robots({ data: { access, robots, site } }: Part) {
  const { robots: file, judged_after } = access
  return (
    <Card
      title="Disallowed, and fetched anyway"
      about={
        judged_after === null ? (
          'Days are judged from the day after the first fetch of robots.txt.'
        ) : (
          <>
            {formatCount(robots.judged, 'hit')} judged by the robots.txt of each day, first fetched{' '}
            <Moment at={judged_after} />. Spoofed hits are left out.
          </>
        )
      }
    >
      {file?.state === 'unreadable' && (
        <Notice tone="warn" title="robots.txt could not be read">
          {file.fault} Nothing is known about what it allows.
        </Notice>
      )}
      {file?.host !== undefined && (
        <p class="hint">
          The file of <bdi>{file.host}</bdi> is used for all hosts of the site.
        </p>
      )}
      {file?.state === 'absent' && <p>The site has no robots.txt, so nothing is disallowed.</p>}
      {file?.is_cut && <Notice tone="warn">robots.txt is longer than the 500 KiB that crawlers read.</Notice>}
      <Table
        label="Disallowed pages"
        columns={['Page', 'Crawler', 'Rule', 'Hits at least', 'Verified']}
        empty={robots.judged === 0 ? 'No day was judged yet.' : 'No crawler fetched a disallowed page.'}
        rows={robots.pages.map(({ path, agent, rule, hits, verified }) => [
          shownPath(path),
          crawlerLink(agent, site.id),
          <code>{rule}</code>,
          formatNumber(hits),
          formatNumber(verified),
        ])}
      />
      <Downloads of="traffic/access" query={`site=${site.id}`} label="Crawler access" />
    </Card>
  )
}

const closedWords = { all: 'Disallowed', some: 'Partly allowed', none: 'Allowed' } as const
const closedTones = { all: 'bad', some: 'warn', none: 'good' } as const
const groupWords = { named: 'A group of its own', all: 'The group for all robots', none: 'No group' } as const

const Agents = ({ data: { access, site } }: Part) => (
  <Card
    title="Who is allowed"
    about="What robots.txt says now, for crawlers that came and for those that it names."
  >
    <Table
      label="Who is allowed"
      columns={['Crawler', 'Access', 'By']}
      empty="robots.txt was not read yet, or could not be read."
      rows={access.agents.map(({ agent, closed, group }) => [
        crawlerLink(agent, site.id),
        <Badge tone={closedTones[closed]}>{closedWords[closed]}</Badge>,
        groupWords[group],
      ])}
    />
  </Card>
)

const Errors = ({ data: { answers, errors, site } }: Part) => (
  <Card
    title="Errors that crawlers got"
    about={`${formatNumber(answers.client_errors)} with a 4xx and ${formatNumber(answers.server_errors)} with a 5xx. The status is known of ${formatNumber(answers.with_status)} of ${formatCount(answers.hits, 'hit')} without spoofed ones.`}
  >
    <Table
      label="Errors"
      columns={['Page', 'Crawler', 'Status', 'Hits at least', 'Verified']}
      empty={
        answers.with_status === 0
          ? 'The log does not name the status, so errors cannot be counted.'
          : 'No crawler got an error.'
      }
      rows={errors.map(({ path, agent, status, hits, verified }) => [
        shownPath(path),
        crawlerLink(agent, site.id),
        status,
        formatNumber(hits),
        formatNumber(verified),
      ])}
    />
  </Card>
)

const llmsWords = {
  valid: 'The site has a valid llms.txt.',
  invalid: 'The site has an llms.txt with a fault.',
  absent: 'The site has no llms.txt.',
  unreadable: 'The llms.txt could not be read.',
} as const

function Llms({ data: { access, site } }: Part) {
  const { llms } = access
  if (!llms) return null
  const verified = llms.fetches.reduce((sum, one) => sum + one.verified, 0)
  return (
    <Card
      title="llms.txt"
      about={`${llmsWords[llms.state]} ${verified === 0 ? 'No verified crawler fetched it in 28 days.' : `Verified crawlers fetched it ${formatCount(verified, 'time')} in 28 days.`}`}
    >
      {llms.fault && <Notice tone="warn">{llms.fault}</Notice>}
      {llms.fetches.length > 0 && (
        <Table
          label="Fetches of llms.txt"
          columns={['Crawler', 'Hits', 'Verified']}
          rows={llms.fetches.map(({ agent, hits, verified }) => [
            crawlerLink(agent, site.id),
            formatNumber(hits),
            formatNumber(verified),
          ])}
        />
      )}
    </Card>
  )
}

function NeverCrawled({ data: { access, site } }: Part) {
  const { sitemap } = access
  if (!sitemap) return null
  const { coverage } = sitemap
  return (
    <Card
      title="Pages never crawled"
      about={
        coverage
          ? `${formatNumber(coverage.never)} of ${formatCount(coverage.pages, 'page')} of the sitemap, ${formatDay(coverage.date_from)} to ${formatDay(coverage.date_to)}`
          : 'Pages of the sitemap are compared with the pages that crawlers fetched.'
      }
    >
      {sitemap.state === 'absent' && <p>No sitemap was found in robots.txt or at /sitemap.xml.</p>}
      {sitemap.fault && <Notice tone="warn">{sitemap.fault}</Notice>}
      {sitemap.state === 'partial' && <p class="hint">Only a part of the sitemap was read.</p>}
      {coverage && (
        <>
          <Table
            label="Pages never crawled"
            columns={['Page']}
            empty="Every page of the sitemap was fetched."
            rows={coverage.never_paths.slice(0, 50).map((path) => [shownPath(path)])}
          />
          <Table
            label="Pages by crawler"
            columns={['Crawler', 'Pages fetched', 'Not fetched, for example']}
            rows={coverage.agents.map(({ agent, fetched, missing }) => [
              crawlerLink(agent, site.id),
              `${formatNumber(fetched)} of ${formatNumber(coverage.pages)}`,
              missing.slice(0, 3).map(readablePath).join(', '),
            ])}
            empty="No crawler came in these days."
          />
        </>
      )}
    </Card>
  )
}

const Sites = ({ data: { sites, site } }: Part) => (
  <Card title="Sites">
    <ul>
      {sites.slice(0, 50).map(({ id, name }) => (
        <li key={id}>
          <a href={`/app/traffic/access?site=${id}`} aria-current={id === site.id ? 'true' : undefined}>
            {name}
          </a>
        </li>
      ))}
    </ul>
  </Card>
)
