/** @jsxImportSource renown/web */
import {
  Button,
  Card,
  CardForm,
  type Children,
  Facts,
  isInstant,
  Moment,
  Notice,
  type PageCardProps,
  Table,
  titleOf,
  Value,
  wordsOf,
} from 'renown/web'
import type { Audit } from '../records/auditStatus'
import { auditWords, isAuditOpen } from './audit-words'

/** The data of the card: the audit, and whether the business is still a prospect. */
export interface AuditCardData {
  readonly audit: Audit | null
  readonly isProspect: boolean
}

const about =
  'What anybody can see about the business. Unknown items are named as such and do not change the score.'

/** The findings of an audit. */
export default function AuditCard(card: PageCardProps<AuditCardData>) {
  const { audit, isProspect } = card.data
  return (
    <Card title="Audit" about={about}>
      <Facts
        of={[
          ['Score', scoreWords(audit)],
          ...(audit ? ([['Asked for', <Moment key="asked" at={audit.created_date} />]] as const) : []),
          ...(audit?.completed_at
            ? ([['Ended', <Moment key="ended" at={audit.completed_at} />]] as const)
            : []),
        ]}
      />
      {audit?.error && (
        <Notice tone="warn" title="It failed">
          <bdi>{audit.error}</bdi>
        </Notice>
      )}
      {audit?.findings && <Findings of={audit.findings} />}
      {audit?.report_id !== undefined && (
        <p>
          <a href={`/app/reports/one?report=${audit.report_id}`}>Open the pitch report</a>
        </p>
      )}
      {isProspect && card.mayChange && audit?.status === 'completed' && (
        <CardForm card={card} action="pitch" label="Make a pitch report" inline>
          <Button>{audit.report_id === undefined ? 'Make a pitch report' : 'Make a new pitch report'}</Button>
        </CardForm>
      )}
      {isProspect && card.mayChange && !isAuditOpen(audit) && <Begin card={card} isThere={audit !== null} />}
    </Card>
  )
}

interface BeginProps {
  readonly card: PageCardProps<AuditCardData>
  readonly isThere: boolean
}

const Begin = ({ card, isThere }: BeginProps) => (
  <CardForm
    card={card}
    action="audit"
    hidden={isThere ? { again: 'yes' } : {}}
    label={isThere ? 'Audit it again' : 'Audit it'}
    inline
  >
    <Button kind="plain">{isThere ? 'Audit it again' : 'Audit it'}</Button>
  </CardForm>
)

const scoreWords = (audit: Audit | null) =>
  audit?.status === 'completed' && audit.score === undefined
    ? 'unknown: there is too little data for a score'
    : auditWords(audit)

const titles = [
  ['reviews', 'Reviews'],
  ['profile', 'Profile'],
  ['visibility', 'What assistants answer'],
  ['traffic', 'Its website and AI'],
  ['mentions', 'What people write about it'],
] as const

const Findings = ({ of: findings }: { readonly of: Readonly<Record<string, unknown>> }) => (
  <>
    {titles.map(([part, title]) => (
      <section key={part} class="stack">
        <h3>{title}</h3>
        <Part of={findings[part]} />
      </section>
    ))}
  </>
)

/** The fields that every part has. All others are its facts. */
const said = new Set(['status', 'method', 'looked_at', 'unknown', 'score'])

function Part({ of: part }: { readonly of: unknown }) {
  if (typeof part !== 'object' || part === null || Array.isArray(part))
    return <p class="hint">Unknown: this was not checked.</p>
  const found = part as Readonly<Record<string, unknown>>
  const facts = Object.entries(found).filter(([name]) => !said.has(name))
  const plain: (readonly [string, Children])[] = [
    ...(typeof found.score === 'number' ? ([['Score', `${found.score} of 100`]] as const) : []),
    ...facts
      .filter(([, value]) => !isRecords(value))
      .map(([name, value]) => [titleOf(name), <Value key={name} of={value} />] as const),
    ...unknownIn(found),
  ]
  return (
    <>
      {plain.length > 0 && <Facts of={plain} />}
      {facts.map(([name, value]) => isRecords(value) && <Records key={name} of={value} name={name} />)}
      <p class="hint">
        {typeof found.method === 'string' && <bdi>{`${found.method}. `}</bdi>}
        {isInstant(found.looked_at) && <Moment at={found.looked_at} before="Looked at " />}
      </p>
    </>
  )
}

type Records = readonly Readonly<Record<string, unknown>>[]

/** Whether a value is a list of objects. */
const isRecords = (value: unknown): value is Records =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.every((each) => typeof each === 'object' && each !== null && !Array.isArray(each))

const recordsMax = 100

/** A list of objects as a table, folded if it is long. */
function Records({ of: records, name }: { readonly of: Records; readonly name: string }) {
  const shown = records.slice(0, recordsMax)
  const columns = [...new Set(shown.flatMap((record) => Object.keys(record)))].slice(0, 8)
  const table = (
    <Table
      label={wordsOf(name)}
      columns={columns.map(titleOf)}
      rows={shown.map((record) =>
        columns.map((column) =>
          column in record ? <Value key={column} of={record[column]} depth={2} /> : '–',
        ),
      )}
    />
  )
  return (
    <details class="fold" open={records.length <= 10}>
      <summary>
        <bdi>{`${titleOf(name)} (${records.length})`}</bdi>
      </summary>
      {table}
    </details>
  )
}

/** Lists each unknown item with its reason. */
function unknownIn({ unknown, status }: Readonly<Record<string, unknown>>) {
  const listed = Array.isArray(unknown) ? (unknown as { what?: unknown; reason?: unknown }[]) : []
  if (listed.length === 0 && status === 'unknown') return [['All of it', 'unknown'] as const]
  return listed.map(
    ({ what, reason }, place) =>
      [
        titleOf(String(what ?? 'something')),
        <span key={place}>
          unknown{reason !== undefined && ': '}
          {reason !== undefined && <bdi>{String(reason)}</bdi>}
        </span>,
      ] as const,
  )
}
