/** @jsxImportSource renown/web */
import type { LogMapping, LogSampleLine } from 'renown/traffic'
import {
  Button,
  Card,
  exactTime,
  Facts,
  Form,
  formatCount,
  Head,
  Notice,
  type PageProps,
  Row,
  Select,
  StateWord,
  TextArea,
  usePageTime,
} from 'renown/web'
import type { MappingData, ShownSample } from './mappingPage'

type Props = PageProps<MappingData>

/** Which fields a site's own JSON log has: paste lines, correct the proposal, test it, save it. */
export default function Mapping(props: Props) {
  const { data, notice, outcome } = props
  const sample = outcome?.ok && outcome.shown ? (outcome.shown as ShownSample) : null
  return (
    <>
      <Head title="JSON of your own">
        Tell Renown in which fields the log of <bdi>{data.name}</bdi> has the facts of a request.{' '}
        <a href={`/app/install?site=${encodeURIComponent(data.id)}#log`}>Back to Install</a>
      </Head>
      {notice !== null && <Notice tone="good">{notice}</Notice>}
      {outcome?.fault && <Notice tone="bad" title={outcome.fault} />}
      {data.mapping && <Saved {...props} mapping={data.mapping} />}
      {data.may_change ? (
        <>
          <Paste {...props} />
          {sample && <Sample {...props} sample={sample} />}
        </>
      ) : (
        <p class="hint">Owners change the mapping. Demo sites cannot be changed.</p>
      )}
    </>
  )
}

const facts = [
  ['path', 'Path or URL'],
  ['user_agent', 'User agent'],
  ['time', 'Time'],
  ['address', 'IP address'],
  ['method', 'Method'],
  ['host', 'Host'],
  ['status', 'Status'],
  ['referrer', 'Referrer'],
  ['id', 'Request id'],
] as const

const formats = [
  ['auto', 'Detect'],
  ['iso', 'ISO 8601'],
  ['clf', 'Common log format'],
  ['seconds', 'Seconds since 1970'],
  ['milliseconds', 'Milliseconds since 1970'],
  ['microseconds', 'Microseconds since 1970'],
  ['nanoseconds', 'Nanoseconds since 1970'],
] as const

const hiddenOf = ({ id }: MappingData) => ({
  site: id,
  site_id: id,
  back: `/app/sites/mapping?site=${encodeURIComponent(id)}`,
})

function Saved({ data, path, csrf, mapping }: Props & { readonly mapping: LogMapping }) {
  return (
    <Card title="Saved mapping" about="The ingest and imports read the JSON records of this site by it.">
      <Facts
        of={facts.flatMap(([fact, label]) =>
          mapping[fact] ? [[label, <code key={fact}>{mapping[fact]}</code>]] : [],
        )}
      />
      {data.may_change && (
        <Form action={`${path}/remove`} csrf={csrf} hidden={hiddenOf(data)} label="Remove the mapping">
          <Row>
            <Button kind="plain">Remove mapping</Button>
          </Row>
        </Form>
      )}
    </Card>
  )
}

function Paste({ data, path, csrf, outcome }: Props) {
  const sample = outcome?.ok && outcome.shown ? (outcome.shown as ShownSample) : null
  return (
    <Card
      title="1. Paste lines"
      about="Up to ten lines of the log, best with a visit of an AI crawler among them. Renown does not store them."
    >
      <Form action={`${path}/propose`} csrf={csrf} hidden={hiddenOf(data)} label="Paste lines">
        <TextArea
          name="lines"
          label="Log lines"
          rows={8}
          value={sample?.text ?? ''}
          error={outcome?.faults?.lines}
          hint={
            sample
              ? 'Each IP address was replaced by 192.0.2.1 or 2001:db8::1.'
              : 'JSON, one record per line, or an array of records.'
          }
        />
        <Row>
          <Button kind={sample ? 'plain' : 'primary'}>Propose a mapping</Button>
        </Row>
      </Form>
    </Card>
  )
}

type SampleProps = Props & { readonly sample: ShownSample }

function Sample(props: SampleProps) {
  const { sample } = props
  return (
    <>
      {sample.known_lines > 0 && (
        <Notice
          title={`Renown reads ${formatCount(sample.known_lines, 'of these lines', 'of these lines')} without a mapping`}
        >
          Their format is known. You need a mapping only if Renown reads the wrong fields.
        </Notice>
      )}
      {sample.fields.length === 0 ? (
        <Notice tone="warn" title="No line contains a JSON record">
          A mapping is for JSON. For other formats, choose your server or service on the Install page.
        </Notice>
      ) : (
        <Fields {...props} />
      )}
      {sample.isIncomplete ? (
        <Notice tone="warn" title="Choose at least the field of the path and that of the user agent" />
      ) : (
        <Result {...props} />
      )}
    </>
  )
}

function Fields({ data, path, csrf, sample }: SampleProps) {
  const { chosen, fields, text } = sample
  const choices = [...new Set([...fields, ...facts.flatMap(([fact]) => chosen[fact] ?? [])])]
  return (
    <Card
      title="2. Check the fields"
      about={
        Object.keys(chosen).length === 0
          ? 'Renown found no path or no user agent. Choose the fields yourself.'
          : 'Renown proposes these fields. Correct them and test again.'
      }
    >
      <Form
        action={`${path}/test`}
        csrf={csrf}
        hidden={{ ...hiddenOf(data), lines: text }}
        label="Check the fields"
      >
        <div class="map-fields">
          {facts.map(([fact, label]) => (
            <Select
              key={fact}
              name={fact}
              label={label}
              options={[['', 'Not in the log'] as const, ...choices.map((field) => [field, field] as const)]}
              value={chosen[fact] ?? ''}
            />
          ))}
          <Select
            name="time_format"
            label="Time format"
            options={formats}
            value={chosen.time_format ?? 'auto'}
          />
        </div>
        <Row>
          <Button kind="plain">Test</Button>
        </Row>
      </Form>
    </Card>
  )
}

function Result({ data, path, csrf, sample }: SampleProps) {
  const { mapping, lines } = sample
  const isRead = lines.some(({ request }) => request !== null)
  const stored = mapping && {
    ...Object.fromEntries(facts.map(([fact]) => [fact, mapping[fact] ?? ''])),
    time_format: mapping.time_format ?? '',
  }
  return (
    <Card
      title="3. What the lines become"
      about="Nothing was counted. This is what the ingest would do with these lines now."
    >
      <ol class="map-lines">
        {lines.map((line, at) => (
          <Line key={at} {...line} />
        ))}
      </ol>
      {stored && isRead && (
        <Form
          action={`${path}/save`}
          csrf={csrf}
          hidden={{ ...hiddenOf(data), ...stored }}
          label="Save the mapping"
        >
          <Row>
            <Button>Save mapping</Button>
          </Row>
        </Form>
      )}
    </Card>
  )
}

const words = {
  counted: ['good', 'Counted'],
  ignored: ['plain', 'Ignored'],
  rejected: ['bad', 'Rejected'],
} as const
const addresses = { read: 'address read', unreadable: 'address unreadable', none: 'no address' } as const

function Line({ line, outcome, reason, request }: LogSampleLine) {
  const { timezone } = usePageTime()
  const [tone, word] = words[outcome]
  const parts = request && [
    request.time === null ? 'no time' : exactTime(request.time, timezone),
    addresses[request.address],
    request.agent ?? (request.has_user_agent ? 'no AI agent' : 'no user agent'),
    ...(request.host === null ? [] : [request.host]),
    ...(request.referrer === null ? [] : [`from ${request.referrer}`]),
    ...(request.has_id ? ['id read'] : []),
  ]
  return (
    <li>
      <span class="hint-number">{String(line)}</span>
      <StateWord tone={tone}>{word}</StateWord>
      {request && (
        <span class="what">
          <code>
            {request.method} {request.path}
          </code>
          {request.status === null ? '' : ` ${request.status}`}
        </span>
      )}
      {parts && <span class="hint">{parts.join(' · ')}</span>}
      {reason !== null && (
        <span class="hint">
          {outcome === 'counted' ? 'Counts as unchecked' : 'Reason'}: {reason}.
        </span>
      )}
    </li>
  )
}
