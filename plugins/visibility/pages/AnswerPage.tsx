/** @jsxImportSource renown/web */
import { Card, type Children, Facts, Head, Moment, OutLink, type PageProps, Row, StateWord } from 'renown/web'
import { AnswerText, MarkKey } from './answer-text'
import { accessWords, countryPinWords } from './answer-words'
import { AskAgent } from './ask-agent'
import type { AnswerData } from './load-answer'

type Props = PageProps<AnswerData>
type Citation = AnswerData['run']['citations'][number]
const pathOf = (run: string) => `/app/visibility/answers/one?run=${encodeURIComponent(run)}`

/** One answer in full, with its sources and how it was judged. */
export default function AnswerPage({ data, workspace }: Props) {
  const { run, text, marks, prompt, earlier, later, engine } = data
  const cited = run.citations.filter((one) => one.cited)
  const consulted = run.citations.filter((one) => !one.cited)
  const list = new URLSearchParams({ tracker: run.tracker_id, prompt: run.prompt_id })
  return (
    <>
      <p>
        <a href={`/app/visibility/answers?${list}`}>← All answers to this prompt</a>
      </p>
      <Head title={`Answer of ${engine}`}>
        {data.brand_name !== null && (
          <>
            <bdi>{data.brand_name}</bdi>
            {', '}
          </>
        )}
        {run.country}, <Moment at={run.started_at} />
      </Head>
      <Card title="Prompt">
        {prompt ? (
          <p dir="auto" lang={prompt.language}>
            {prompt.text}
          </p>
        ) : (
          <p class="hint">The prompt was removed.</p>
        )}
      </Card>
      <Card title="Answer" about="Word for word, as the assistant wrote it.">
        {text !== '' && run.error !== undefined && (
          <p>
            <bdi>{run.error}</bdi>
          </p>
        )}
        {text === '' ? (
          <p>{run.error === undefined ? 'There is no text.' : <bdi>{run.error}</bdi>}</p>
        ) : (
          <>
            <AnswerText text={text} marks={marks} />
            {marks.length > 0 && <MarkKey />}
          </>
        )}
        <Row>
          {earlier !== null && <a href={pathOf(earlier)}>Earlier answer</a>}
          {later !== null && <a href={pathOf(later)}>Later answer</a>}
        </Row>
      </Card>
      <Judged data={data} />
      <Sources title="Cited sources" about="The answer names them as its sources." of={cited} />
      <Sources
        title="Consulted sources"
        about="The assistant read them and did not cite them."
        of={consulted}
      />
      <Run data={data} />
      <AskAgent
        workspaceId={workspace.id}
        apiUrl={data.api_url}
        calls={[
          { question: 'What did the assistant answer?', operation: 'getAnswer', input: { run_id: run.id } },
        ]}
      />
    </>
  )
}

/** How Renown judged the answer, with the clauses that show it. */
function Judged({ data: { run, state, position } }: { readonly data: AnswerData }) {
  const facts: (readonly [string, Children])[] = [
    [
      'About you',
      <StateWord key="state" tone={state.tone}>
        {state.word}
      </StateWord>,
    ],
    ...(run.stance_evidence === undefined
      ? []
      : [['Because of', <bdi key="evidence">{`“${run.stance_evidence}”`}</bdi>] as const]),
    ...(position === null ? [] : [['Your place', position] as const]),
    ...(run.sentiment === undefined
      ? []
      : [
          [
            'Tone',
            <>
              {`${run.sentiment.toFixed(2)} from −1 to 1`}
              {run.sentiment_evidence !== undefined && (
                <>
                  {', by '}
                  <bdi>{`“${run.sentiment_evidence}”`}</bdi>
                </>
              )}
            </>,
          ] as const,
        ]),
    [
      'Competitors named',
      run.competitor_mentions.length === 0 ? (
        'None'
      ) : (
        <bdi>
          {run.competitor_mentions
            .map(({ name, position }) => (position === undefined ? name : `${name} (place ${position})`))
            .join(', ')}
        </bdi>
      ),
    ],
    ['Rules', <code key="rules">{run.definition_version}</code>],
  ]
  return (
    <Card title="How it was judged">
      <Facts of={facts} />
    </Card>
  )
}

interface SourcesProps {
  readonly title: string
  readonly about: string
  readonly of: readonly Citation[]
}

const Sources = ({ title, about, of: sources }: SourcesProps) => (
  <Card title={title} about={about}>
    {sources.length === 0 ? (
      <p class="hint">None.</p>
    ) : (
      <ol>
        {sources.map(({ url, domain, title, is_own }, place) => (
          <li key={place}>
            {url === undefined ? <bdi>{domain}</bdi> : <OutLink href={url} />}
            {title !== undefined && (
              <>
                {' '}
                <bdi class="hint">{title}</bdi>
              </>
            )}
            {is_own && ' (your site)'}
          </li>
        ))}
      </ol>
    )}
  </Card>
)

/** How the question was put. */
function Run({ data: { run } }: { readonly data: AnswerData }) {
  const cost = run.cost === undefined ? 'not known' : `$${run.cost.toFixed(4)}`
  const basis = {
    reported: ', as the assistant reported',
    computed: ', computed from its prices',
    at_most: ' at most: the exact cost is not known',
    unknown: '',
  }
  return (
    <Card title="How it was asked">
      <Facts
        of={[
          ['Access', accessWords[run.access]],
          ['Model asked', <bdi key="asked">{run.model_asked || 'its own choice'}</bdi>],
          ['Model that answered', <bdi key="model">{run.model ?? 'not said'}</bdi>],
          [
            'Country',
            run.place_pinned === undefined
              ? run.country
              : `${run.country}: ${countryPinWords[run.place_pinned]}`,
          ],
          [
            'It searched for',
            run.search_queries.length === 0 ? 'Nothing' : <bdi>{run.search_queries.join('; ')}</bdi>,
          ],
          ['Cost', `${cost}${basis[run.cost_basis ?? 'unknown']}`],
          ...(run.odd_parts === undefined
            ? []
            : [['Not readable', <bdi key="odd">{run.odd_parts.join('; ')}</bdi>] as const]),
        ]}
      />
    </Card>
  )
}
