/** @jsxImportSource renown/web */
import {
  Card,
  Downloads,
  Empty,
  formatCount,
  formatNumber,
  formatPeriod,
  Head,
  Moment,
  type PageProps,
  Row,
  StateWord,
} from 'renown/web'
import { answersSearch } from './answer-filters'
import { AnswerText, MarkKey } from './answer-text'
import { AskAgent } from './ask-agent'
import { IgnoredFilters } from './ignored-filters'
import type { AnswerLine, AnswersData } from './load-answers'

type Props = PageProps<AnswersData>
const kinds = [
  ['', 'All'],
  ['yes', 'Naming you'],
  ['no', 'Not naming you'],
] as const

/** The answers behind a figure, newest first. */
export default function AnswersPage({ data, path, workspace }: Props) {
  const { filters, prompt, lines, total, answers, next, ignored } = data
  return (
    <>
      <p>
        <a
          href={`/app/visibility${filters.tracker === '' ? '' : `?tracker=${encodeURIComponent(filters.tracker)}`}`}
        >
          ← AI visibility
        </a>
      </p>
      <Head title="Answers">
        <About data={data} />
      </Head>
      {prompt && (
        <Card title="Prompt">
          <p dir="auto" lang={prompt.language}>
            {prompt.text}
          </p>
        </Card>
      )}
      <IgnoredFilters of={ignored} />
      <nav class="segments" aria-label="Which answers">
        {kinds.map(([named, label]) => (
          <a
            key={named}
            href={`${path}?${answersSearch(filters, { named })}`}
            aria-current={filters.named === named ? 'true' : undefined}
          >
            {label}
          </a>
        ))}
      </nav>
      <Card
        title={formatCount(total, 'run')}
        about={`A run is one question, asked of one assistant once. ${
          answers === total
            ? ''
            : `${formatNumber(answers)} of them have an answer that is judged. Rates count only these, and leave out days on which an assistant failed. `
        }Newest first.`}
      >
        {lines.length === 0 ? (
          <Empty text="No run fits these filters." />
        ) : (
          <>
            <MarkKey />
            <ol class="answer-list">
              {lines.map((line) => (
                <Line key={line.id} of={line} />
              ))}
            </ol>
          </>
        )}
        {total > 0 && (
          <Row>
            {next !== null && (
              <a href={`${path}?${answersSearch(filters, { until: next })}`}>Older answers</a>
            )}
            <Downloads of="visibility/answers" query={answersSearch(filters)} label="all these answers" />
          </Row>
        )}
      </Card>
      {filters.prompt !== '' && (
        <AskAgent
          workspaceId={workspace.id}
          apiUrl={data.api_url}
          calls={[
            {
              question: 'What is the latest answer to this prompt?',
              operation: 'getAnswer',
              input: {
                prompt_id: filters.prompt,
                ...(filters.engine === '' ? {} : { engine: filters.engine }),
                ...(filters.country === '' ? {} : { country: filters.country }),
              },
            },
          ]}
        />
      )}
    </>
  )
}

const About = ({ data: { brand_name, engine_name, filters } }: { readonly data: AnswersData }) => (
  <>
    {brand_name !== null && (
      <>
        <bdi>{brand_name}</bdi>
        {', '}
      </>
    )}
    {engine_name !== null && `${engine_name}, `}
    {filters.country !== '' && `${filters.country}, `}
    {formatPeriod({ date_from: filters.from, date_to: filters.to })}
  </>
)

const Line = ({ of: line }: { readonly of: AnswerLine }) => (
  <li>
    <div class="facts-line">
      <StateWord tone={line.state.tone}>{line.state.word}</StateWord>
      <strong>{line.engine}</strong>
      {line.model !== null && <bdi>{line.model}</bdi>}
      <span>{line.country}</span>
      {line.position !== null && <span>{line.position}</span>}
      <Moment at={line.at} />
    </div>
    {line.prompt !== null && (
      <p class="hint" dir="auto" lang={line.language}>
        {line.prompt}
      </p>
    )}
    {line.error === null ? (
      <AnswerText text={line.text} marks={line.marks} isCut={line.isCut} />
    ) : (
      <p>
        <bdi>{line.error}</bdi>
      </p>
    )}
    <a href={`/app/visibility/answers/one?run=${encodeURIComponent(line.id)}`}>
      Read it in full
      <span class="unseen">
        {`: ${line.engine}, `}
        <Moment at={line.at} still />
      </span>
    </a>
  </li>
)
