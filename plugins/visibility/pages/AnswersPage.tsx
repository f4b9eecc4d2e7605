/** @jsxImportSource renown/web */
import type { ShownLine } from 'renown/pages'
import {
  Card,
  Empty,
  formatCount,
  formatNumber,
  formatPeriod,
  Head,
  Listed,
  ListFoot,
  Moment,
  type PageProps,
  StateWord,
} from 'renown/web'
import { AnswerText, MarkKey } from './answer-text'
import { AskAgent } from './ask-agent'
import type { AnswerLine } from './list-answers'
import type { AnswersData } from './load-answers'

type Props = PageProps<AnswersData>

/** The answers behind a figure, newest first. */
export default function AnswersPage(props: Props) {
  const { data, workspace } = props
  const { filters, prompt, list } = data
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
      <Listed of={list} page={props} picture={<Answers data={data} />} />
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

function Answers({ data: { list, total, answers } }: { readonly data: AnswersData }) {
  return (
    <Card
      title={formatCount(total, 'run')}
      about={`A run is one question, asked of one assistant once. ${
        answers === total
          ? ''
          : `${formatNumber(answers)} of them have an answer that is judged. Rates count only these, and leave out days on which an assistant failed. `
      }Newest first.`}
    >
      {list.lines.length === 0 ? (
        <Empty
          text={list.empty.text}
          action={list.empty.link && <a href={list.empty.link.href}>{list.empty.link.words}</a>}
        />
      ) : (
        <>
          <MarkKey />
          <ol class="answer-list" data-list="">
            {list.lines.map((one) => (
              <Line key={one.id} of={one} />
            ))}
          </ol>
        </>
      )}
      {total > 0 && <ListFoot of={list} />}
    </Card>
  )
}

const About = ({ data: { brand_name, engine_name, filters, days } }: { readonly data: AnswersData }) => (
  <>
    {brand_name !== null && (
      <>
        <bdi>{brand_name}</bdi>
        {', '}
      </>
    )}
    {engine_name !== null && `${engine_name}, `}
    {filters.country !== '' && `${filters.country}, `}
    {formatPeriod({ date_from: days.from, date_to: days.to })}
  </>
)

const Line = ({ of: { href, line } }: { readonly of: ShownLine<AnswerLine> }) => (
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
    <a href={href ?? ''}>
      Read it in full
      <span class="unseen">
        {`: ${line.engine}, `}
        <Moment at={line.at} still />
      </span>
    </a>
  </li>
)
