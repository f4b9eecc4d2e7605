/** @jsxImportSource renown/web */
import {
  Button,
  ButtonLink,
  Card,
  Facts,
  Field,
  Form,
  formatCount,
  formatDay,
  Head,
  Notice,
  type PageProps,
  Row,
  StateWord,
} from 'renown/web'
import type { SiteCounts, SiteData } from './sitePage'

type Props = PageProps<SiteData>

/** One site: rename it, stop counting, and delete it. */
export default function Site(props: Props) {
  const { data, notice, outcome } = props
  const { name, domain, timezone, is_active, counts, lines } = data
  return (
    <>
      <Head title={name}>
        <a href="/app/sites">All sites</a>
      </Head>
      {notice !== null && <Notice tone="good">{notice}</Notice>}
      {outcome?.fault && <Notice tone="bad" title={outcome.fault} />}
      <Card>
        <Facts
          of={[
            ['Domain', <bdi key="domain">{domain}</bdi>],
            [
              'State',
              is_active ? (
                <StateWord key="state" tone="good">
                  Active
                </StateWord>
              ) : (
                <StateWord key="state">Paused</StateWord>
              ),
            ],
            ['Time zone', timezone],
            ['Counted', countedWords(counts)],
            ...(lines ? ([['Log lines', `${lines.counts} since the ingest started`]] as const) : []),
          ]}
        />
        {lines && lines.faults.length > 0 && (
          <Notice title="Lines of the log that Renown doubts">
            <ul>
              {lines.faults.map((fault) => (
                <li key={fault}>{fault}</li>
              ))}
            </ul>
          </Notice>
        )}
        <Row>
          <ButtonLink href={`/app/traffic?site=${encodeURIComponent(data.id)}`}>Open AI traffic</ButtonLink>
          <ButtonLink href={`/app/install?site=${encodeURIComponent(data.id)}`}>Install</ButtonLink>
        </Row>
      </Card>
      {data.may_change ? (
        <>
          <Rename {...props} />
          {is_active ? <Stop {...props} /> : <Delete {...props} />}
        </>
      ) : (
        <p class="hint">Owners rename and delete sites. Demo sites cannot be changed.</p>
      )}
    </>
  )
}

function countedWords({ days, hits, visits, first, last }: SiteCounts): string {
  if (days === 0 || first === null || last === null) return 'Nothing yet'
  return `${formatCount(hits, 'crawler hit')} and ${formatCount(visits, 'visit')} on ${formatCount(days, 'day')}, ${formatDay(first)} to ${formatDay(last)}`
}

function Rename({ data, path, csrf, outcome }: Props) {
  const failed = outcome?.action === 'rename' && !outcome.ok ? outcome : null
  if (!data.may_rename)
    return (
      <Card title="Rename">
        <p>
          Renown already counted something for {data.name}, so the site keeps its domain. Create a site for
          another domain.
        </p>
      </Card>
    )
  return (
    <Card title="Rename" about="Its key, its token and its time zone stay.">
      <Form action={`${path}/rename`} csrf={csrf} hidden={hiddenOf(data)} label="Rename">
        <Field
          name="domain"
          label="Domain"
          value={String(failed?.values?.domain ?? data.name)}
          error={failed?.faults?.domain}
          inputmode="url"
          autocomplete="off"
        />
        <Row>
          <Button kind="plain">Rename the site</Button>
        </Row>
      </Form>
    </Card>
  )
}

const hiddenOf = ({ id }: SiteData) => ({
  site: id,
  id,
  back: `/app/sites/one?site=${encodeURIComponent(id)}`,
})

function Stop({ data, path, csrf }: Props) {
  return (
    <Card title="Delete" about="Stop counting first. You can delete the site a minute later.">
      <Form action={`${path}/stop`} csrf={csrf} hidden={hiddenOf(data)} label="Stop counting">
        <p>After that, Renown refuses its tag and its log senders. Existing counts stay.</p>
        <Row>
          <Button kind="plain">Stop counting {data.name}</Button>
        </Row>
      </Form>
    </Card>
  )
}

function Delete({ data, path, csrf, outcome }: Props) {
  const failed = outcome?.action === 'remove' && !outcome.ok ? outcome : null
  const { days } = data.counts
  return (
    <Card title="Delete" about="This cannot be undone.">
      <ul>
        <li>The site {data.name} is deleted, with its key and its forwarder token.</li>
        <li>
          {days === 0
            ? 'It has no counts.'
            : `Everything that was counted for it is deleted: ${countedWords(data.counts)}.`}
        </li>
        <li>Existing reports keep their figures.</li>
      </ul>
      <Form action={`${path}/remove`} csrf={csrf} hidden={hiddenOf(data)} label="Delete">
        <Field
          name="confirm"
          label={`Type ${data.name} to confirm`}
          value={String(failed?.values?.confirm ?? '')}
          error={failed?.faults?.confirm}
          autocomplete="off"
        />
        <Row>
          <Button kind="danger">Delete {data.name}</Button>
        </Row>
      </Form>
    </Card>
  )
}
