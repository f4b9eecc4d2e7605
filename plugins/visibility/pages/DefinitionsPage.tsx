/** @jsxImportSource renown/web */
import {
  Card,
  countedOtherwise,
  formatCount,
  formatDay,
  formatNumber,
  formatPeriod,
  Head,
  IgnoredValues,
  Notice,
  OutLink,
  type PageProps,
  Table,
} from 'renown/web'
import { AskAgent } from './ask-agent'
import { emptyWords } from './empty-words'
import type { DefinitionLine, DefinitionsData } from './load-definitions'
import { intervalWords, percent } from './rate-words'
import { searchOf } from './visibility-filters'

type Props = PageProps<DefinitionsData>
type Comparison = NonNullable<DefinitionsData['comparison']>

/** The same answers by all definitions, and why two of them give different numbers. */
export default function DefinitionsPage({ data, path, workspace }: Props) {
  const { filters, period, tracker, lines, comparison, other, empty_because, isTooLong } = data
  const search = searchOf(filters)
  const own = comparison?.from ?? ''
  return (
    <>
      <p>
        <a href={`/app/visibility${search === '' ? '' : `?${search}`}`}>← AI visibility</a>
      </p>
      <Head title="Definitions">
        {tracker && (
          <>
            <bdi>{tracker.brand_name}</bdi>
            {', '}
          </>
        )}
        {`${formatPeriod(period)}. The same answers, counted as each publisher counts.`}
      </Head>
      <IgnoredValues of={data.ignored} />
      {isTooLong && (
        <Notice tone="warn" title="Too many answers">
          Definitions are compared over at most 50,000 answers. Choose a shorter period or one tracker.
        </Notice>
      )}
      {empty_because !== null && (
        <Card title={emptyWords[empty_because].why}>{emptyWords[empty_because].what}</Card>
      )}
      {comparison && (
        <Steps
          comparison={comparison}
          own={lines.find(({ definition }) => definition === own)}
          other={lines.find(({ definition }) => definition === other)}
        />
      )}
      {lines.length > 0 && (
        <>
          <Shares
            lines={lines.filter(({ isPosition }) => !isPosition)}
            own={own}
            hrefOf={(definition) =>
              `${path}?${new URLSearchParams([...new URLSearchParams(search), ['with', definition]])}`
            }
          />
          <Positions lines={lines.filter(({ isPosition }) => isPosition)} />
        </>
      )}
      <AskAgent
        workspaceId={workspace.id}
        apiUrl={data.api_url}
        calls={[
          {
            question: 'Why do two tools show different numbers?',
            operation: 'reconcileVisibility',
            input: {
              date_from: period.date_from,
              date_to: period.date_to,
              rulers: ['visibility.mention_rate@2', other],
              ...(tracker ? { tracker_id: tracker.id } : {}),
            },
          },
        ]}
      />
    </>
  )
}

const valueWords = ({ value, isPosition }: { value: DefinitionLine['value']; isPosition?: boolean }) =>
  value.value === null ? 'no answers' : isPosition ? value.value.toFixed(1) : percent(value.value)

const nameOf = ({ publisher, label }: DefinitionLine) => `${publisher}: ${label}`

interface SharesProps {
  readonly lines: readonly DefinitionLine[]
  readonly own: string
  hrefOf(definition: string): string
}

const Shares = ({ lines, own, hrefOf }: SharesProps) => (
  <Card title="All definitions" about="Select one to see, step by step, why it differs from this page.">
    <Table
      label="Values of all definitions"
      columns={['Definition', 'Value', '95 % interval', 'Counts', 'What it counts']}
      numeric={['Value', '95 % interval', 'Counts']}
      rows={lines.map((line) => [
        line.definition === own ? (
          `${nameOf(line)} (this page)`
        ) : (
          <a href={hrefOf(line.definition)}>{nameOf(line)}</a>
        ),
        valueWords(line),
        line.value.ci95 === null ? 'none' : intervalWords(line.value.ci95),
        `${formatNumber(line.value.k)} of ${formatNumber(line.value.n)}`,
        <>
          {line.says} <code>{line.definition}</code>
        </>,
      ])}
    />
  </Card>
)

const Positions = ({ lines }: { readonly lines: readonly DefinitionLine[] }) =>
  lines.length === 0 ? null : (
    <Card title="Average places" about="These are places, not shares. 1 is first.">
      <Table
        label="Average places by definition"
        columns={['Definition', 'Value', 'What it counts']}
        numeric={['Value']}
        rows={lines.map((line) => [
          nameOf(line),
          valueWords(line),
          <>
            {line.says} <code>{line.definition}</code>
          </>,
        ])}
      />
    </Card>
  )

interface StepsProps {
  readonly comparison: Comparison
  readonly own: DefinitionLine | undefined
  readonly other: DefinitionLine | undefined
}

/** The way from the number of this page to that of another definition. */
function Steps({ comparison, own, other }: StepsProps) {
  if (!own || !other) return null
  const { steps, difference } = comparison
  return (
    <Card
      title={`From this page to ${nameOf(other)}`}
      about={`${valueWords(own)} becomes ${valueWords(other)}${difference === null ? '' : `: ${countedOtherwise(difference)}`}.`}
    >
      {steps.length === 0 ? (
        <p>Both definitions count these answers alike.</p>
      ) : (
        <Table
          label="Steps between both definitions"
          columns={['Step', 'Before', 'After', 'Difference', 'Answers', 'Examples']}
          numeric={['Before', 'After', 'Difference', 'Answers']}
          rows={steps.map(({ says, before, after, difference, answers, examples }) => [
            says,
            before.value === null ? '–' : percent(before.value),
            after.value === null ? '–' : percent(after.value),
            difference === null ? '–' : countedOtherwise(difference),
            formatCount(answers, 'answer'),
            examples.length === 0
              ? '–'
              : examples.map(({ run_id, engine }, place) => (
                  <>
                    {place > 0 && ', '}
                    <a key={run_id} href={`/app/visibility/answers/one?run=${encodeURIComponent(run_id)}`}>
                      {place + 1}
                      <span class="unseen">{`: answer of ${engine}`}</span>
                    </a>
                  </>
                )),
          ])}
        />
      )}
      <Says of={other} />
    </Card>
  )
}

/** What the publisher says, and what Renown assumes. */
const Says = ({ of: { says, source, assumptions } }: { readonly of: DefinitionLine }) => (
  <div class="stack hint">
    <p>
      {says}
      {source && (
        <>
          {' Source, read on '}
          {formatDay(source.read_on)}
          {': '}
          <OutLink href={source.url} />
        </>
      )}
    </p>
    {assumptions.length > 0 && (
      <ul>
        {assumptions.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    )}
  </div>
)
